// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Clients that give up at one moment go on one by one, in the order of what they asked.
//
// Caught: the first that arrived let go first.
func TestTakeTurns(t *testing.T) {
	for seed := range uint64(10) {
		inBubble(t, func(t *testing.T, r *rig) {
			r.TakeTurns()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			order := []string{"a", "b", "c", "d"}
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			gone := make(chan string, len(order))
			for _, pod := range order {
				go func() {
					e := event("web." + pod)
					e.Regarding.Name = pod
					_ = create(r.v1, e)(ctx)
					gone <- pod
				}()
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if len(gone) != 0 || !r.Waiting()[0].GaveUp() {
				t.Errorf("%d went on without being let", len(gone))
			}
			var left []string
			for r.Release() {
				left = append(left, <-gone)
			}
			if diff := cmp.Diff(slices.Sorted(slices.Values(order)), left); diff != "" {
				t.Errorf("clients went on out of order (-want +got):\n%s", diff)
			}
		})
	}
}
