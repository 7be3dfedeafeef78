// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"math/rand/v2"
	"testing"

	"k8s.io/utils/lru"
)

// What is kept is what the cache of k8s.io/utils keeps, which client-go's correlator has.
//
// Caught: a value that is used and not moved to the front; one too many or too few that are kept; a broken ring.
func TestRecentKeepsWhatWasUsedLast(t *testing.T) {
	for _, size := range []int{-1, 0, 1, 2, 5} {
		want, got := lru.New(size), newRecent[int](size)
		random := rand.New(rand.NewPCG(1, uint64(size)))
		for i := 1; i <= 3000; i++ {
			key := string(rune('a' + random.IntN(10)))
			before, _ := want.Get(key)
			value := got.of(key)
			if before, _ := before.(int); before != *value {
				t.Fatalf("size %d: %q is %d, want %d", size, key, *value, before)
			}
			*value = i
			want.Add(key, i)
			if len(got.byKey) != want.Len() {
				t.Fatalf("size %d: %d are kept, want %d", size, len(got.byKey), want.Len())
			}
		}
	}
}
