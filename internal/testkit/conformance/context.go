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
		c.checkInterrupted("had ended before", func(call func(context.Context) answer) answer { return call(ended) })
	}
}

// holder is a sink whose calls can be made to wait.
type holder interface {
	Hold()    // makes calls wait
	Release() // ends that
}

// heldFor is how long a call is held before its context ends: long enough to be under way.
const heldFor = 20 * time.Millisecond

func endingContext(c *trial) {
	sink, ok := c.sink.(holder)
	if !ok {
		c.t.Skipf("the sink has no methods Hold and Release")
	}
	c.checkInterrupted("ended meanwhile", func(call func(context.Context) answer) answer {
		sink.Hold()
		defer sink.Release()
		ctx, cancel := context.WithTimeout(c.ctx, heldFor)
		defer cancel()
		return call(ctx)
	})
}

// checkInterrupted checks that an interrupted write is not final, and that its retry succeeds.
func (c *trial) checkInterrupted(how string, call func(func(context.Context) answer) answer) {
	event := c.event()
	a := call(func(ctx context.Context) answer { return c.createIn(ctx, event) })
	if a.filtered() {
		return
	}
	c.checkUnfinished(a, how)
	c.mustSucceed(c.create(event))

	event = counted(event, 2)
	patch := seriesPatch(event, c.version(event), nil)
	c.checkUnfinished(call(func(ctx context.Context) answer { return c.patchIn(ctx, event, patch) }), how)
	c.mustSucceed(c.patch(event, seriesPatch(event, c.version(event), nil)))
	c.checkStored("after writes that were cut off, and tried again", event)
}

// checkUnfinished checks that a broadcaster takes the write for done, or tries it again.
func (c *trial) checkUnfinished(a answer, how string) {
	if !a.is(request.Stored, request.Retry) && !a.filtered() {
		c.fatal("%s; its context %s: answer ctx.Err()", a, how)
	}
}

func earlierContext(c *trial) {
	event := c.event()
	ctx, cancel := context.WithCancel(c.ctx)
	a := c.createIn(ctx, event)
	cancel()
	if c.mustSucceed(a).filtered() {
		return
	}
	event = counted(event, 2)
	if a := c.patch(event, seriesPatch(event, a.version(), nil)); !a.succeeds() && !a.filtered() {
		c.fail("after the context of Create was cancelled, as it is after every call, %s", a)
	}
	if a := c.create(c.event()); !a.succeeds() && !a.filtered() {
		c.fail("after the context of another Create was cancelled, as it is after every call, %s", a)
	}
}
