// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/eventseries/eventseries/events"
)

// job is a call that takes its time, beside the driver.
type job struct {
	c     *component
	what  string
	began time.Time
	by    time.Time // when it must have returned
	done  chan struct{}
	err   error                  // of the call, once done is closed
	check func(w *world, j *job) // at that moment
	late  bool                   // it has not returned in time
}

// grace is what the SDK allows itself beyond a timeout, to wait for what it has
// cancelled.
const grace = time.Second + time.Millisecond

func (w *world) begin(j *job, call func() error) {
	j.began, j.done = time.Now(), make(chan struct{})
	w.jobs = append(w.jobs, j)
	w.census.add("job", j.what)
	w.group.Go(func() {
		defer close(j.done)
		j.err = call()
	})
	w.settle()
}

// reap looks at the jobs that have returned, and for those that should have.
func (w *world) reap() {
	running := w.jobs[:0]
	var returned []*job
	for _, j := range w.jobs {
		select {
		case <-j.done:
			returned = append(returned, j)
		default:
			running = append(running, j)
			if time.Now().After(j.by) && !j.late {
				j.late = true
				w.fail("%s of %s has not returned after %v", j.what, j.c.name, time.Since(j.began))
			}
		}
	}
	w.jobs = running
	for _, j := range returned {
		w.note("%s of %s returned: %v", j.what, j.c.name, j.err != nil)
		j.check(w, j)
	}
	for _, c := range w.all {
		if c.ending && !c.over && time.Now().After(c.overBy) {
			w.checkOver(c)
		}
	}
}

// beginFlush checks that what was observed before is accounted for if Flush says
// so, and that it keeps to its time if it does not.
func (w *world) beginFlush(c *component, timeout time.Duration) *job {
	before := maps.Clone(c.books.emitted)
	j := &job{c: c, what: "flush", by: time.Now().Add(timeout)}
	j.check = func(w *world, j *job) {
		switch {
		case j.err == nil:
			w.census.add("job", "flush done")
			w.checkFlushed(c, before)
		case !errors.Is(j.err, context.DeadlineExceeded) || time.Since(j.began) < timeout:
			w.fail("Flush of %s after %v of %v: %v", c.name, time.Since(j.began), timeout, j.err)
		}
	}
	w.begin(j, func() error {
		ctx, cancel := w.context(timeout)
		defer cancel()
		return c.base.Flush(ctx)
	})
	return j
}

func (w *world) checkFlushed(c *component, before map[bucket]int64) {
	for _, of := range slices.SortedFunc(maps.Keys(before), bucket.compare) {
		if accounted := c.books.ackedIn[of] + c.books.droppedIn(of); accounted < before[of] {
			w.fail("Flush of %s returned with %d of %d of %v accounted for", c.name, accounted, before[of], of)
			return
		}
	}
}

// beginDrain checks that Drain keeps to its time and says what it gave up.
func (w *world) beginDrain(c *component, timeout time.Duration) {
	c.endBy(timeout)
	w.begin(&job{c: c, what: "drain", by: c.overBy, check: (*world).checkDrained}, func() error {
		ctx, cancel := w.context(timeout)
		defer cancel()
		return c.base.Drain(ctx)
	})
}

func (w *world) beginShutdown(c *component) {
	c.endBy(c.config.drainTimeout())
	over := func(w *world, j *job) { w.checkOver(j.c) }
	w.begin(&job{c: c, what: "shutdown", by: c.overBy, check: over}, func() error {
		c.base.Shutdown()
		return nil
	})
}

// endBy notes that the component's end has begun and may take timeout. Whatever
// ends it first sets the time; who comes later waits for that.
func (c *component) endBy(timeout time.Duration) {
	c.ending = true
	if by := time.Now().Add(timeout + grace); c.overBy.Before(by) {
		c.overBy = by // also of a Drain that comes after the end of the context, which waits for it
	}
}

func (w *world) checkDrained(j *job) {
	var lost *events.AbandonedError
	given := j.c.books.droppedFor(events.Abandoned)
	switch {
	case j.err == nil && given > 0:
		w.fail("Drain of %s gave up %d and did not say so", j.c.name, given)
	case j.err != nil && !errors.As(j.err, &lost):
		w.fail("Drain of %s: %v", j.c.name, j.err)
	case lost != nil && (lost.Occurrences != given || lost.Stuck > 0 || lost.Unconfirmed > given):
		w.fail("Drain of %s gave up %d: %v", j.c.name, given, j.err)
	}
	w.checkOver(j.c)
}
