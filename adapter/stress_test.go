// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// The adapter is started twice and ended in three ways at the same time, while others record, log, flush and look, and
// while the API comes and goes. Every occurrence is recorded or dropped then, and the server has what is recorded.
//
// Caught: a Start that does not ask whether it is the first (two ends, two probers).
func TestEverythingAtOnceConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.DiscardActions()
		c.latency.Store(int64(time.Millisecond))
		a := adapter.New(t.Context(), c.client(), quiet)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var all sync.WaitGroup
		var started atomic.Int64
		const callers, rounds = 4, 40
		for caller := range callers {
			rec, old := a.NewRecorder(controller), a.DeprecatedNewLegacyRecorder(controller)
			all.Go(func() {
				for i := range rounds {
					emit(rec, 1, fmt.Sprint("ns-", i%3), fmt.Sprint("web-", i%7))
					old.Event(newPod("ns-0", "lease"), "Normal", "LeaderElection", "me")
					time.Sleep(time.Duration(caller+i%3) * time.Millisecond / 2)
				}
			})
		}
		for range 2 {
			all.Go(func() {
				if a.Start(ctx) == nil {
					started.Add(1)
				}
			})
			all.Go(func() {
				for range 10 {
					stop := a.StartStructuredLogging(10)
					soon, cancel := context.WithTimeout(ctx, 2*time.Millisecond)
					_ = a.Flush(soon) // may be cut off
					cancel()
					stop()
					a.Snapshot(0).Remedy()
					checkConserved(t, a.Stats())
				}
			})
		}
		all.Go(func() {
			for i := range 10 {
				c.ServeEventsV1(i%2 == 1)
				time.Sleep(3 * time.Millisecond)
			}
		})
		time.Sleep(25 * time.Millisecond)
		all.Go(cancel)
		all.Go(a.Shutdown)
		all.Go(func() { _ = a.Drain(context.Background()) })
		all.Wait()
		a.Shutdown()
		s := a.Stats()
		checkConserved(t, s)
		var stored int64
		for _, e := range c.Events() {
			stored += count(&e)
		}
		if s.Observed != 2*callers*rounds || s.Pending != 0 || s.Recorded == 0 || s.Dropped[events.Stopped] == 0 ||
			started.Load() != 1 || stored < s.Recorded || stored > s.Recorded+s.Unconfirmed {
			t.Errorf("%d calls, %d times started, the server counts %d: %+v",
				2*callers*rounds, started.Load(), stored, s)
		}
	})
}
