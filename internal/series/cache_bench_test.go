// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"

	"github.com/eventseries/eventseries/internal/request"
)

// BenchmarkObserve is the hot path: a repeat of a known series.
func BenchmarkObserve(b *testing.B) {
	for _, size := range []int{1, 65536} {
		b.Run(fmt.Sprintf("series=%d", size), func(b *testing.B) {
			c := newCache(intervals, size)
			all := make([]Occurrence, size)
			for i := range all {
				all[i] = Occurrence{Key: spread(fmt.Sprint("pod-", i), normal), At: epoch}
				insert(c, first(all[i]))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				observe(c, &all[i%size])
			}
		})
	}
}

// BenchmarkObserveParallel has every core record about objects of its own, as
// the workers of a controller do.
func BenchmarkObserveParallel(b *testing.B) {
	const size = 1024
	c := newCache(intervals, size)
	all := make([]Occurrence, size)
	for i := range all {
		all[i] = Occurrence{Key: spread(fmt.Sprint("pod-", i), normal), At: epoch}
		insert(c, first(all[i]))
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			observe(c, &all[i%size])
		}
	})
}

// BenchmarkInsert is the first occurrence of a series.
func BenchmarkInsert(b *testing.B) {
	c := newCache(intervals, 1<<17)
	k := keyOf("", normal)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k.Regarding.Name = fmt.Sprint("pod-", i)
		see(c, k, epoch)
		if i%(1<<16) == 0 {
			c.Abandon()
		}
	}
}

// repeat measures a repeat of the only series of a cache.
func repeat(b *testing.B, c *Cache) {
	o := Occurrence{Key: keyOf("web", normal), At: epoch}
	insert(c, first(o))
	b.ReportAllocs()
	for b.Loop() {
		observe(c, &o)
	}
}

// BenchmarkObjectLimit is what a first occurrence beyond the limit costs.
func BenchmarkObjectLimit(b *testing.B) {
	c := limited(10)
	var o Occurrence
	for i := range 11 {
		o = because(fmt.Sprint("reason-", i), epoch)
		observe(c, &o)
		insert(c, first(o))
	}
	b.ReportAllocs()
	for b.Loop() {
		observe(c, &o)
	}
}

// BenchmarkContinuity is what deterministic names cost a repeat and the first occurrence of a series with its Create.
func BenchmarkContinuity(b *testing.B) {
	for _, continues := range []bool{false, true} {
		newCache := func() *Cache {
			c := newCache(intervals, 1<<17)
			if continues {
				c.Continue()
			}
			return c
		}
		b.Run(fmt.Sprintf("repeat/continues=%v", continues), func(b *testing.B) { repeat(b, newCache()) })
		b.Run(fmt.Sprintf("first/continues=%v", continues), func(b *testing.B) {
			c := newCache()
			k := keyOf("", normal)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				k.Regarding.Name = fmt.Sprint("pod-", i)
				s := see(c, k, epoch).Series
				w, _ := begin(c, s)
				s.Settle(w, request.Verdict{Action: request.Stored}, w.Event, epoch)
				if i%(1<<16) == 0 {
					c.Abandon()
				}
			}
		})
	}
}
