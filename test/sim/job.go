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

// job is a call that blocks. It runs in a goroutine of its own.
type job struct {
	c     *component
	what  string
	began time.Time
	// by is the time at which it must have returned.
	by   time.Time
	done chan struct{}
	// err is the result of the call when done is closed.
	err error
	// check is called when the job has returned.
	check func(w *world, j *job)
	// late is true if it was reported that the job has not returned in time.
	late bool
}

// grace is the longest time after a timeout for which the SDK may wait for the writes that it has
// cancelled.
const grace = time.Second + time.Millisecond

func (w *world) begin(j *job, call func() error) {
	j.began, j.done = time.Now(), make(chan struct{})
	w.jobs = append(w.jobs, j)
	w.coverage.add("job", j.what)
	w.group.Go(func() {
		defer close(j.done)
		j.err = call()
	})
	w.runUntilIdle()
}

// reapJobs checks the jobs that have returned, and checks that no job is late.
func (w *world) reapJobs() {
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

// beginFlush calls Flush. If Flush succeeds, everything that was observed before must be accounted for. If it fails, it
// must have used all of its time.
func (w *world) beginFlush(c *component, timeout time.Duration) *job {
	before := maps.Clone(c.counts.emitted)
	j := &job{c: c, what: "flush", by: time.Now().Add(timeout)}
	j.check = func(w *world, j *job) {
		switch {
		case j.err == nil:
			w.coverage.add("job", "flush done")
			w.checkFlushed(c, before)
		case !errors.Is(j.err, context.DeadlineExceeded) || time.Since(j.began) < timeout:
			w.fail("Flush of %s after %v of %v: %v", c.name, time.Since(j.began), timeout, j.err)
		}
	}
	w.begin(j, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		return c.base.Flush(ctx)
	})
	return j
}

func (w *world) checkFlushed(c *component, before map[bucket]int64) {
	for _, of := range slices.SortedFunc(maps.Keys(before), bucket.compare) {
		if accounted := c.counts.ackedIn[of] + c.counts.droppedIn(of); accounted < before[of] {
			w.fail("Flush of %s returned with %d of %d of %v accounted for", c.name, accounted, before[of], of)
			return
		}
	}
}

// beginDrain calls Drain. It must return in time, and its error must count what was abandoned.
func (w *world) beginDrain(c *component, timeout time.Duration) {
	c.endBy(timeout)
	w.begin(&job{c: c, what: "drain", by: c.overBy, check: (*world).checkDrained}, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
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

// endBy notes that the component is ending, and may take timeout for that.
func (c *component) endBy(timeout time.Duration) {
	c.ending = true
	// A Drain after the end of the context waits for the end that is under way, so the later time
	// counts.
	if by := time.Now().Add(timeout + grace); c.overBy.Before(by) {
		c.overBy = by
	}
}

func (w *world) checkDrained(j *job) {
	var lost *events.AbandonedError
	dropped := j.c.counts.droppedFor(events.DropAbandoned)
	switch {
	case j.err == nil && dropped > 0:
		w.fail("Drain of %s gave up %d and did not say so", j.c.name, dropped)
	case j.err != nil && !errors.As(j.err, &lost):
		w.fail("Drain of %s: %v", j.c.name, j.err)
	case lost != nil && (lost.Occurrences != dropped || lost.Stuck > 0 || lost.Unconfirmed > dropped):
		w.fail("Drain of %s gave up %d: %v", j.c.name, dropped, j.err)
	}
	w.checkOver(j.c)
}
