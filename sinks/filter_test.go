// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/sinks"
)

// Occurrences that a Filter removes are counted and not logged. Filter calls keep once for such a
// series, and again after the finish interval.
func TestFilterUnderABroadcaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		inner, j := eventstest.NewSink(), &testlog.Log{}
		b, rec := start(t, sinks.Filter(inner, func(e *eventsv1.Event) bool {
			if e.Type == corev1.EventTypeWarning {
				return true
			}
			asked.Add(1)
			return false
		}), klog.New(j))
		emit(rec, 5, corev1.EventTypeNormal, "web")
		emit(rec, 5, corev1.EventTypeWarning, "web")
		fixture.Flush(t, b)
		emit(rec, 5, corev1.EventTypeNormal, "web")
		fixture.Flush(t, b)
		if got := asked.Load(); got != 1 {
			t.Errorf("asked %d times about the series it does not want, want 1", got)
		}
		s := b.Stats()
		if s.Recorded != 5 || s.Dropped[events.DropFiltered] != 10 || s.Pending != 0 {
			t.Errorf("Recorded = %d, Dropped[DropFiltered] = %d, Pending = %d, want 5, 10, 0",
				s.Recorded, s.Dropped[events.DropFiltered], s.Pending)
		}
		time.Sleep(7 * time.Minute)
		emit(rec, 1, corev1.EventTypeNormal, "web")
		fixture.Flush(t, b)
		if got := asked.Load(); got != 2 {
			t.Errorf("asked %d times after the finish interval, want 2", got)
		}
		if lines := j.Lines(""); len(lines) > 0 {
			t.Errorf("logged %q, want nothing", lines)
		}
	})
}
