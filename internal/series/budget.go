// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Budget bounds the series of one cache, or of several together. While it has free slots,
// every cache takes what it needs. When it has none, each has an equal share: a cache
// below its share takes a slot from the largest one, and a cache at its share evicts its
// own series. So one that cannot write takes no slot from the others.
type Budget struct {
	max  int64
	used atomic.Int64

	mu     sync.Mutex // guards caches; no other lock is taken under it
	caches []*Cache   // of which none is abandoned
}

// NewBudget returns a budget of at most maxSeries series.
func NewBudget(maxSeries int) *Budget { return &Budget{max: int64(maxSeries)} }

// Max is how many series the caches may have together.
func (b *Budget) Max() int { return int(b.max) }

func (b *Budget) join(c *Cache) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.caches = append(b.caches, c)
}

// leave must be called when c is abandoned, so that others get its share.
func (b *Budget) leave(c *Cache) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.caches = slices.DeleteFunc(b.caches, func(other *Cache) bool { return other == c })
}

// take takes a slot for c, if one is free.
func (b *Budget) take(c *Cache) bool {
	if b.used.Add(1) > b.max {
		b.used.Add(-1)
		return false
	}
	c.size.Add(1)
	return true
}

// release returns n slots of c.
func (b *Budget) release(c *Cache, n int) {
	c.size.Add(int64(-n))
	b.used.Add(int64(-n))
}

// largest returns the cache that must give up a slot for c, or nil if c has its share.
func (b *Budget) largest(c *Cache) (largest *Cache) {
	b.mu.Lock()
	defer b.mu.Unlock()
	size, sharers := int64(0), int64(1)
	for _, other := range b.caches {
		n := other.size.Load()
		if other == c || n == 0 {
			continue
		}
		sharers++
		if n > size {
			largest, size = other, n
		}
	}
	if share := b.max / sharers; c.size.Load() >= share || size <= share {
		return nil
	}
	return largest
}
