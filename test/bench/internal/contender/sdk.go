// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
)

// newSDK is a broadcaster with the defaults, but for the bound on series where
// the scenario has more of them.
func newSDK(c *Contender, config Config) error {
	b := events.NewBroadcaster(newSink{c.Sink}, append(config.Options, events.WithMaxSeries(config.Series))...)
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
	c.Broadcaster = b
	c.Recorder = b.NewRecorder(scheme.Scheme, component)
	if config.Idle {
		c.stop = func() { _ = b.Drain(context.Background()) } // abandons all, and says so
		return nil
	}
	return c.start(b)
}

// recording is what a broadcaster and an adapter of the SDK have in common.
type recording interface {
	Start(context.Context) error
	Flush(context.Context) error
	Drain(context.Context) error
	Stats() events.Stats
}

// start begins to write.
func (c *Contender) start(r recording) error {
	c.finish = func() { _ = r.Flush(context.Background()) } // that cannot end early
	c.stop = func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = r.Drain(ctx) // it says what is lost
	}
	c.series = func() int { return r.Stats().Series }
	return r.Start(context.Background())
}
