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

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
)

// Everything at once, while discovery and RBAC change their minds, loses no occurrence and no account of it (I1). Where
// the API is always served, the counts on the server are exact.
func TestAdapterConcurrentSafe(t *testing.T) {
	for _, served := range []bool{true, false} {
		t.Run(fmt.Sprint("always served ", served), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.DiscardActions()
				a := adapter.New(t.Context(), c, quiet)
				ctx, stop := context.WithTimeout(context.Background(), 40*time.Minute)
				defer stop()

				var all sync.WaitGroup
				every := func(d time.Duration, do func(i int)) {
					all.Go(func() {
						for i := 0; ctx.Err() == nil; i++ {
							do(i)
							time.Sleep(d)
						}
					})
				}
				var emitted atomic.Int64
				for n := range 4 {
					rec, old := a.NewRecorder(controller), a.DeprecatedNewLegacyRecorder(controller)
					every(time.Duration(1700+n)*time.Millisecond, func(i int) {
						emit(rec, 1, fmt.Sprint("ns-", i%3), fmt.Sprint("web-", i%7))
						old.Event(newPod("ns-0", "lease"), corev1.EventTypeNormal, "LeaderElection", "me")
						emitted.Add(2)
					})
				}
				every(400*time.Second, func(i int) { c.ServeEventsV1(served || i%2 == 0) })
				every(110*time.Second, func(i int) {
					if i > 0 {
						c.deny("ns-1", []string{v1, core, "none"}[i%3])
					}
				})
				every(3*time.Second, func(int) { checkConserved(t, a.Stats()) })
				every(2*time.Second, func(int) { a.Snapshot(0).Remedy() })
				every(10*time.Second, func(int) {
					soon, cancel := context.WithTimeout(ctx, 5*time.Second)
					defer cancel()
					_ = a.Flush(soon) // may be cut off by what is refused
				})
				if err := a.Start(context.Background()); err != nil {
					t.Fatal(err)
				}
				all.Wait()

				c.ServeEventsV1(true)
				c.Authorize(nil)
				var drains sync.WaitGroup
				for range 3 {
					drains.Go(func() {
						if err := a.Drain(context.Background()); err != nil {
							t.Errorf("Drain() = %v", err)
						}
					})
				}
				drains.Wait()
				s := a.Stats()
				checkConserved(t, s)
				if s.Observed != emitted.Load() || s.Pending != 0 {
					t.Errorf("Observed = %d, Pending = %d, want %d, 0", s.Observed, s.Pending, emitted.Load())
				}
				if !served {
					return // client-go's correlator may filter, and count what it filtered
				}
				var counted int64
				for _, e := range c.Events() {
					counted += count(&e)
				}
				if counted != s.Observed || s.Recorded != s.Observed {
					t.Errorf("the server counts %d, Recorded = %d, want %d; dropped: %v",
						counted, s.Recorded, s.Observed, s.Dropped)
				}
			})
		})
	}
}
