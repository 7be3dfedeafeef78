// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
)

// newToolsEvents is client-go's broadcaster for events.k8s.io/v1, which has no
// options.
func newToolsEvents(c *Contender, config Config) error {
	b := clientevents.NewBroadcaster(newSink{c.Sink})
	if config.Logging {
		if _, err := b.StartLogging(c.logger()); err != nil {
			return err
		}
	}
	if config.Watching {
		if _, err := b.StartEventWatcher(func(runtime.Object) { c.Lines.Add(1) }); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.stop = func() { cancel(); b.Shutdown() }
	if err := b.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	c.Background = true
	c.Recorder = b.NewRecorder(scheme.Scheme, component)
	return nil
}
