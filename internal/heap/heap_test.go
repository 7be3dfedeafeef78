// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package heap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type item struct {
	rank  int
	place int32
}

func TestHeap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	h := Heap[*item]{
		Before: func(a, b *item) bool { return a.rank < b.rank },
		Place:  func(i *item) *int32 { return &i.place },
	}
	var all []*item
	for range 5000 {
		switch one := random.IntN(max(len(all), 1)); {
		case len(all) == 0 || random.IntN(5) < 2:
			added := &item{rank: random.IntN(100)}
			all = append(all, added)
			h.Add(added)
		case random.IntN(2) == 0:
			all[one].rank = random.IntN(100)
			h.Fix(all[one])
		default:
			h.Remove(all[one])
			all = slices.Delete(all, one, one+1)
		}
		for i, one := range h.Items {
			if one.place != int32(i) || one.rank < h.Items[0].rank {
				t.Fatalf("item %d: %+v, the first one %+v", i, *one, *h.Items[0])
			}
		}
		if len(h.Items) != len(all) {
			t.Fatalf("%d items, want %d", len(h.Items), len(all))
		}
	}
	for _, left := range h.Items[len(h.Items):cap(h.Items)] {
		if left != nil {
			t.Error("an item that is out is still in memory")
		}
	}
}
