// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package highest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestList(t *testing.T) {
	type added struct{ rank, order int64 }
	all := make([]added, 1000)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range all {
		all[i] = added{random.Int64N(100), int64(i)}
	}
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b added) int { return int(b.rank - a.rank) })
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, limit := range []int{-1, 0, 1, 2, 50, 999, 1000, 2000} {
		l := New[added](limit)
		for i, a := range all {
			if i == len(all)/2 {
				l.Values() // a list that was read goes on
			}
			l.Add(a.rank, a.order, func() added { return a })
		}
		want := best[:min(max(limit, 0), len(best))]
		if diff := cmp.Diff(want, l.Values(), cmp.AllowUnexported(added{})); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}
