// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// Cache holds the last known status of each pod and lets workers wait for one
// that is newer than what they have acted upon. It is safe for concurrent use.
// Statuses are shared: nobody may modify them.
type Cache struct {
	mu      sync.Mutex // guards everything below
	pods    map[types.UID]entry
	asOf    time.Time // every entry is at least this fresh, zero before the first listing
	waiting map[types.UID][]waiter
}

type entry struct {
	status *cri.PodStatus
	err    error
	at     time.Time
}

type waiter struct {
	newerThan time.Time
	answer    chan entry // one slot, so that answering never blocks
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{pods: map[types.UID]entry{}, waiting: map[types.UID][]waiter{}}
}

// Get returns the status of a pod, or the error of its last inspection, without
// waiting. A pod that is not in the cache has an empty status.
func (c *Cache) Get(uid types.UID) (*cri.PodStatus, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.get(uid)
	return e.status, e.err
}

// GetNewerThan is Get for a status that was true at a time after the given one.
// It waits for that, or for the end of ctx, whose error it returns then.
func (c *Cache) GetNewerThan(ctx context.Context, uid types.UID, t time.Time) (*cri.PodStatus, error) {
	w := waiter{newerThan: t, answer: make(chan entry, 1)}
	c.mu.Lock()
	if !c.answer(uid, w) {
		c.waiting[uid] = append(c.waiting[uid], w)
	}
	c.mu.Unlock()
	select {
	case e := <-w.answer:
		return e.status, e.err
	case <-ctx.Done():
		c.forget(uid, w)
		return nil, ctx.Err()
	}
}

// Set stores the outcome of an inspection and when it was true. One that is
// older than what the cache has changes nothing; the result says so.
func (c *Cache) Set(uid types.UID, status *cri.PodStatus, err error, at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.Before(c.pods[uid].at) {
		return false
	}
	c.pods[uid] = entry{status: status, err: err, at: at}
	c.wake(uid)
	return true
}

// Delete removes a pod that the runtime does not know any more.
func (c *Cache) Delete(uid types.UID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pods, uid)
}

// UpdateTime says that everything in the cache is known to be true at t.
func (c *Cache) UpdateTime(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !t.After(c.asOf) {
		return
	}
	c.asOf = t
	for uid := range c.waiting {
		c.wake(uid)
	}
}

// The rest must be called with the lock held, except forget.

func (c *Cache) get(uid types.UID) entry {
	e, ok := c.pods[uid]
	if !ok {
		e.status = &cri.PodStatus{UID: uid}
	}
	return e
}

// answer gives a waiter what it waits for, if it is there.
func (c *Cache) answer(uid types.UID, w waiter) bool {
	e := c.get(uid)
	if !e.at.After(w.newerThan) && !c.asOf.After(w.newerThan) {
		return false
	}
	w.answer <- e
	return true
}

func (c *Cache) wake(uid types.UID) {
	var left []waiter
	for _, w := range c.waiting[uid] {
		if !c.answer(uid, w) {
			left = append(left, w)
		}
	}
	if len(left) == 0 {
		delete(c.waiting, uid)
		return
	}
	c.waiting[uid] = left
}

func (c *Cache) forget(uid types.UID, gone waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var left []waiter
	for _, w := range c.waiting[uid] {
		if w.answer != gone.answer {
			left = append(left, w)
		}
	}
	if len(left) == 0 {
		delete(c.waiting, uid)
		return
	}
	c.waiting[uid] = left
}
