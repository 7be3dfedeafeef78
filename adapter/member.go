// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

// member is an engaged cluster, or one that was.
type member struct {
	name           string
	config, copied *rest.Config // as it was passed to Engage, and what it said then
	adapter        *Adapter
	ctx            context.Context
	detach         func() bool // ends the wait for ctx

	start  sync.Once   // by the first Event
	gone   atomic.Bool // true when the name is free
	settle sync.Once   // gives up the first of calls

	// calls has the number of calls that record now, and one more until the adapter is
	// drained. So the last one knows that all has been counted.
	calls atomic.Int64
}

func newMember(ctx context.Context, name string, config *rest.Config, a *Adapter) *member {
	m := &member{
		name: name, config: config, copied: rest.CopyConfig(config), adapter: a, ctx: ctx,
	}
	m.calls.Store(1)
	return m
}

// enter reports whether m may be recorded to, until leave is called. The first call starts
// the adapter.
func (m *member) enter(c *Clusters) bool {
	m.calls.Add(1)
	if m.gone.Load() {
		m.leave(c)
		return false
	}
	m.start.Do(func() {
		// The options are valid. An adapter that has ended counts its Events as Stopped.
		_ = m.adapter.Start(m.ctx)
	})
	return true
}

func (m *member) leave(c *Clusters) {
	if m.calls.Add(-1) == 0 {
		c.fold(m)
	}
}
