// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Cache has the status of each pod. A worker waits in it for a status that shows the worker's own last step. It is safe
// for concurrent use.
type Cache struct {
	mu      sync.Mutex // guards the rest
	pods    map[types.UID]cacheEntry
	asOf    time.Time     // all entries are at least this fresh
	changed chan struct{} // closed at the next change
}

type cacheEntry struct {
	status *PodStatus
	err    error // of the inspection
	at     time.Time
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{pods: map[types.UID]cacheEntry{}, changed: make(chan struct{})}
}

// GetNewerThan returns a status that was true after t, or the error of the inspection. It waits until there is one, or
// until ctx ends. A pod that is not in the cache has no containers.
func (c *Cache) GetNewerThan(ctx context.Context, uid types.UID, t time.Time) (*PodStatus, error) {
	for {
		c.mu.Lock()
		entry, asOf, changed := c.pods[uid], c.asOf, c.changed
		c.mu.Unlock()
		if entry.at.After(t) || asOf.After(t) {
			if entry.status == nil && entry.err == nil {
				return &PodStatus{UID: uid}, nil
			}
			return entry.status, entry.err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Set stores the outcome of an inspection at a time.
func (c *Cache) Set(uid types.UID, status *PodStatus, err error, at time.Time) {
	c.change(func() { c.pods[uid] = cacheEntry{status, err, at} })
}

// Delete removes a pod that the runtime no longer has.
func (c *Cache) Delete(uid types.UID) {
	c.change(func() { delete(c.pods, uid) })
}

// UpdateTime declares all entries true at a time.
func (c *Cache) UpdateTime(at time.Time) {
	c.change(func() { c.asOf = at })
}

// change changes the cache and wakes all who wait.
func (c *Cache) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	close(c.changed)
	c.changed = make(chan struct{})
}
