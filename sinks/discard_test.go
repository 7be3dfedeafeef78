// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"testing"
	"testing/synctest"

	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/sinks"
)

func TestDiscard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, sinks.Discard, klog.Logger{})
		emit(rec, 1, "Normal", "web")
		flush(t, b)
		emit(rec, 9, "Normal", "web")
		flush(t, b)
		if s := b.Stats(); s.Recorded != 10 || s.Pending != 0 || s.Retries != 0 {
			t.Errorf("Recorded = %d, Pending = %d, Retries = %d, want 10, 0, 0", s.Recorded, s.Pending, s.Retries)
		}
	})
}
