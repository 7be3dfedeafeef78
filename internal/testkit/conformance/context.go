// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

func endedContext(c *trial) {
	cancelled, cancel := context.WithCancel(c.ctx)
	cancel()
	late, cancel := context.WithDeadline(c.ctx, time.Now().Add(-time.Second))
	defer cancel()
	for _, ended := range []context.Context{cancelled, late} {
		c.interrupts("had ended before", func(call func(context.Context) answer) answer { return call(ended) })
	}
}

// holder is a sink that can be made to wait.
type holder interface {
	Hold()    // calls wait
	Release() // until then
}

// heldFor is how long a call is held before its context ends: long enough to be under way.
const heldFor = 20 * time.Millisecond

func endingContext(c *trial) {
	sink, ok := c.sink.(holder)
	if !ok {
		c.t.Skipf("the sink has no methods Hold and Release")
	}
	c.interrupts("ended meanwhile", func(call func(context.Context) answer) answer {
		sink.Hold()
		defer sink.Release()
		ctx, cancel := context.WithTimeout(c.ctx, heldFor)
		defer cancel()
		return call(ctx)
	})
}

// interrupts checks that a write which is cut off is taken for that, and succeeds when it is tried again.
func (c *trial) interrupts(how string, call func(func(context.Context) answer) answer) {
	event := c.event()
	a := call(func(ctx context.Context) answer { return c.createIn(ctx, event) })
	if a.filtered() {
		return
	}
	c.unfinished(a, how)
	c.settled(c.create(event))

	event = counted(event, 2)
	patch := seriesPatch(event, c.version(event), nil)
	c.unfinished(call(func(ctx context.Context) answer { return c.patchIn(ctx, event, patch) }), how)
	c.settled(c.patch(event, seriesPatch(event, c.version(event), nil)))
	c.holds("after writes that were cut off, and tried again", event)
}

// unfinished checks that a broadcaster takes a for written or still to be written.
func (c *trial) unfinished(a answer, how string) {
	if !a.is(request.Stored, request.Retry) && !a.filtered() {
		c.fatal("%s; its context %s: answer ctx.Err()", a, how)
	}
}

func earlierContext(c *trial) {
	event := c.event()
	ctx, cancel := context.WithCancel(c.ctx)
	a := c.createIn(ctx, event)
	cancel()
	if c.settled(a).filtered() {
		return
	}
	event = counted(event, 2)
	if a := c.patch(event, seriesPatch(event, a.version(), nil)); !a.settles() && !a.filtered() {
		c.fail("after the context of Create was cancelled, as it is after every call, %s", a)
	}
	if a := c.create(c.event()); !a.settles() && !a.filtered() {
		c.fail("after the context of another Create was cancelled, as it is after every call, %s", a)
	}
}
