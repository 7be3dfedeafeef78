// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

// recent is a cache of the values that were used last. Unlike that of k8s.io/utils it
// allocates once for a value. It is not safe for concurrent use.
type recent[V any] struct {
	size  int // 0: without a bound; below: nothing is kept
	byKey map[string]*entry[V]
	used  entry[V] // the ends of a ring: next is the last one used
}

type entry[V any] struct {
	key            string
	value          V
	previous, next *entry[V]
}

func newRecent[V any](size int) *recent[V] {
	c := &recent[V]{size: size, byKey: map[string]*entry[V]{}}
	c.used.previous, c.used.next = &c.used, &c.used
	return c
}

// of returns the value of key, which is zero if key is new. It is the caller's until the
// next call.
func (c *recent[V]) of(key string) *V {
	e := c.byKey[key]
	if e == nil {
		e = &entry[V]{key: key}
		c.byKey[key] = e
	} else {
		e.previous.next, e.next.previous = e.next, e.previous
	}
	e.previous, e.next = &c.used, c.used.next
	e.previous.next, e.next.previous = e, e
	if c.size != 0 && len(c.byKey) > c.size {
		oldest := c.used.previous
		c.used.previous, oldest.previous.next = oldest.previous, &c.used
		delete(c.byKey, oldest.key)
	}
	return &e.value
}
