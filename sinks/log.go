// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Log logs one line for every write: a new event, or a series that was counted
// up. Every write succeeds. Unlike Broadcaster.StartLogging it sees series, not
// single occurrences.
func Log(logger klog.Logger) events.Sink {
	logger = usercode.Logger(logger)
	return &local{func(e *eventsv1.Event, op request.Op) error {
		msg, count := "Event created", int32(1)
		if op == request.Patch {
			msg = "Event counted up"
		}
		if e.Series != nil {
			count = e.Series.Count
		}
		logger.Info(msg, "event", klog.KRef(e.Namespace, e.Name), "kind", e.Regarding.Kind,
			"object", klog.KRef(e.Regarding.Namespace, e.Regarding.Name), "type", e.Type,
			"reason", e.Reason, "action", e.Action, "note", e.Note, "count", count)
		return nil
	}}
}
