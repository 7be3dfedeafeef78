// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// newToolsRecord is client-go's broadcaster for core/v1 with its default
// correlator, called through client-go's own adapter for the new signature,
// which passes the call on without related and action.
func newToolsRecord(c *Contender, config Config) error {
	ctx := context.Background()
	if config.Logging {
		ctx = klog.NewContext(ctx, c.logger()) // the way to give it a logger
	}
	b := record.NewBroadcaster(record.WithContext(ctx))
	if config.Logging {
		b.StartStructuredLogging(0)
	}
	c.stop = b.Shutdown
	b.StartRecordingToSink(oldSink{c.Sink})
	c.Background = true
	c.Recorder = record.NewEventRecorderAdapter(b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component}))
	return nil
}
