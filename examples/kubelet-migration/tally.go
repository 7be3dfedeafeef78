// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

// apart is the least time between two occurrences about one pod. In simulated
// time none passes while code runs, and client-go names an Event after the pod
// and the nanosecond: two at once would be one name, and the second would be
// lost to a conflict that a real clock rules out.
const apart = time.Microsecond

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
	time.Sleep(apart)
}

// WithLogger returns a recorder that counts into the same tally.
func (t tally) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	return tally{EventRecorderLogger: t.EventRecorderLogger.WithLogger(logger), occurrences: t.occurrences}
}
