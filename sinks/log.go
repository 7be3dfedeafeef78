// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Log logs one line for every write: a new event, or a series that was counted
// up. Every write succeeds. Unlike Broadcaster.StartLogging it sees series, not
// single occurrences.
func Log(logger klog.Logger) events.Sink { return logSink{usercode.Logger(logger)} }

type logSink struct{ logger klog.Logger }

func (s logSink) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	s.log("Event created", event)
	return nil, nil
}

func (s logSink) Patch(_ context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	s.log("Event counted up", event)
	return nil, nil
}

func (s logSink) log(msg string, e *eventsv1.Event) {
	count := int32(1)
	if e.Series != nil {
		count = e.Series.Count
	}
	s.logger.Info(msg, "event", klog.KRef(e.Namespace, e.Name), "kind", e.Regarding.Kind,
		"object", klog.KRef(e.Regarding.Namespace, e.Regarding.Name), "type", e.Type,
		"reason", e.Reason, "action", e.Action, "note", e.Note, "count", count)
}
