// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"testing/synctest"
	"time"

	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

func TestTallyCountsAndPassesOn(t *testing.T) {
	fake := clientevents.NewFakeRecorder(10)
	tally := newTally(fake)
	tally.Eventf(nil, nil, "Normal", "Started", "Start", "started %s", "main")
	tally.WithLogger(klog.Background()).Eventf(nil, nil, "Normal", "Killing", "Stop", "killing")
	if got := tally.occurrences.Load(); got != 2 || len(fake.Events) != 2 {
		t.Errorf("counted %d and passed on %d, want 2 and 2", got, len(fake.Events))
	}
	if got := <-fake.Events; got != "Normal Started started main" {
		t.Errorf("passed on %q", got)
	}
}

func TestOccurrencesAreApartInSimulatedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tally := newTally(clientevents.NewFakeRecorder(10))
		began := time.Now()
		tally.Eventf(nil, nil, "Normal", "Started", "Start", "started")
		if time.Since(began) == 0 {
			t.Error("the next occurrence would be at the same nanosecond")
		}
	})
}
