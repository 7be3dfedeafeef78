// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// world is one run of a script, inside a bubble. Its methods are called by the
// driver alone, the bubble's first goroutine, so that nothing in it needs a lock
// but what the SDK's goroutines call back.
type world struct {
	script *Script
	server *server
	faults faults

	slots     []*component // the running process of each component
	all       []*component // every process that was started
	jobs      []*job       // calls of Flush, Drain and Shutdown that have not returned
	repeaters []*repeater  // occurrences that are recorded again and again
	group     lifecycle.Group

	policy     string          // the reason of events that a policy of the server refuses
	terminated time.Time       // when the server last refused a create because of it
	rejected   map[string]bool // components with a write that was rejected
	inactive   bool            // a namespace has been terminating or missing
	emitted    int             // number of occurrences, which makes notes unique

	began      time.Time
	closing    bool // the components end, whatever was violated
	trace      *trace
	coverage   Coverage
	violations []string
}

const maxViolations = 3

func newWorld(s *Script, t *trace) *world {
	w := &world{
		script: s, trace: t, coverage: Coverage{}, began: time.Now(), policy: s.Config.Policy,
		server: newServer(), rejected: map[string]bool{},
	}
	w.faults = noFaults(rand.New(rand.NewPCG(s.Seed, 2)))
	w.server.setTTL(s.Config.TTL)
	for i := range s.Config.Components {
		time.Sleep(time.Nanosecond) // no two components have the same jitter
		w.slots = append(w.slots, nil)
		w.newProcess(i)
	}
	return w
}

// run does all steps, ends all components and returns what went wrong.
func (w *world) run() {
	w.runUntilIdle()
	for i, step := range w.script.Steps {
		w.note("%d: %s", i, step)
		w.coverage.add("step", acts[step.Act].name)
		acts[step.Act].do(w, step.Args)
		w.runUntilIdle()
		w.checkAll()
		if len(w.violations) > 0 {
			break
		}
	}
	if w.script.Config.End != abruptly && len(w.violations) == 0 {
		w.checkDelivery()
	}
	w.finish()
	w.coverage["simulated/seconds"] += int64(time.Since(w.began).Seconds())
	w.group.Wait(context.Background())
	for _, c := range w.all {
		c.cancel() // some were never started
	}
}

// runUntilIdle lets all goroutines run until they wait, and processes what happened.
func (w *world) runUntilIdle() {
	for ran := true; ran; ran = w.server.release() {
		synctest.Wait()
	}
	select {
	case <-w.server.arrived:
	default:
	}
	w.planAnswers()
	w.reapJobs()
}

// pass advances the time by d and does what falls due meanwhile.
func (w *world) pass(d time.Duration) {
	w.passUntil(time.Now().Add(d), func() bool { return false })
}

// passUntil advances the time to end, or until done reports true.
func (w *world) passUntil(end time.Time, done func() bool) {
	for {
		w.runUntilIdle()
		due, do := w.next()
		switch now := time.Now(); {
		case len(w.violations) > 0 && !w.closing:
			return
		case do != nil && !due.After(now):
			do()
			continue
		case done() || !now.Before(end):
			return
		}
		if do == nil || due.After(end) {
			due = end
		}
		w.await(due)
	}
}

// next returns what falls due first: an answer or a repeated occurrence. The result do is nil if nothing is planned.
func (w *world) next() (due time.Time, do func()) {
	if b := w.nextRepeater(); b != nil {
		due, do = b.due, func() { w.repeatOnce(b) }
	}
	if r, at := w.nextAnswer(); r != nil && (do == nil || at.Before(due)) {
		due, do = at, func() { w.answer(r) }
	}
	return due, do
}

// await blocks until a time, or until a request arrives.
func (w *world) await(until time.Time) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-w.server.arrived:
	case <-timer.C:
	}
}

// fail records a violation of what the SDK promises. Only the first few are kept.
func (w *world) fail(format string, args ...any) {
	if len(w.violations) == maxViolations {
		return
	}
	violation := fmt.Sprintf("at %v: ", time.Since(w.began)) + fmt.Sprintf(format, args...)
	w.trace.note("VIOLATION %s", violation)
	w.violations = append(w.violations, violation)
}

// note adds a line to the trace.
func (w *world) note(format string, args ...any) {
	w.trace.note("%v %s", time.Since(w.began), fmt.Sprintf(format, args...))
}
