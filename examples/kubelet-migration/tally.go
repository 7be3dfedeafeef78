// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

// tally counts the occurrences that are handed to a recorder, so that what the
// server has in the end can be held against something neither side can bend.
type tally struct {
	clientevents.EventRecorderLogger
	occurrences *atomic.Int64
}

func newTally(recorder clientevents.EventRecorderLogger) tally {
	return tally{EventRecorderLogger: recorder, occurrences: new(atomic.Int64)}
}

// Eventf counts an occurrence and passes it on.
func (t tally) Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any) {
	t.occurrences.Add(1)
	t.EventRecorderLogger.Eventf(regarding, related, eventType, reason, action, note, args...)
}

// WithLogger returns a recorder that counts into the same tally.
func (t tally) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	return tally{EventRecorderLogger: t.EventRecorderLogger.WithLogger(logger), occurrences: t.occurrences}
}
