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

// world is one run of a script in a bubble. Only the driver, which is the first goroutine of the
// bubble, calls its methods. So its fields need no lock. Only data that the SDK's goroutines change
// by callbacks has a lock of its own.
type world struct {
	script *Script
	server *server
	faults faults

	// slots has the running process of each component, and all has every process that was started.
	slots []*component
	all   []*component
	// jobs has the calls of Flush, Drain and Shutdown that have not returned.
	jobs []*job
	// repeaters has the occurrences that are recorded again and again.
	repeaters []*repeater
	group     lifecycle.Group

	// policy is the reason of the events that a policy of the server refuses.
	policy string
	// terminated is the last time at which the server refused a create because the namespace was
	// terminating.
	terminated time.Time
	// rejected has the components of which a write was rejected.
	rejected map[string]bool
	// inactive is true if a namespace has been terminating or missing.
	inactive bool
	// emitted is the number of occurrences. It makes notes unique.
	emitted int

	began time.Time
	// closing is true at the end of the run, while the components are drained. Violations do not
	// stop the run then.
	closing    bool
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
		// The seed of a component's jitter is the time, so each component must have another time.
		time.Sleep(time.Nanosecond)
		w.slots = append(w.slots, nil)
		w.newProcess(i)
	}
	return w
}

// run takes all steps, and ends all components.
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
		// Components that were never started have not ended their context.
		c.cancel()
	}
}

// runUntilIdle lets all goroutines run until they are blocked. Then it plans the answers to new
// requests, and checks the jobs that have returned.
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

// pass advances the time by d. It ends the requests and records the occurrences that are due in
// that time.
func (w *world) pass(d time.Duration) {
	w.passUntil(time.Now().Add(d), func() bool { return false })
}

// passUntil advances the time to end, or until done returns true.
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

// next returns the next planned action, which is an answer or a repeated occurrence, and its time.
// do is nil if there is none.
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

// fail notes that the SDK has broken a promise. Only the first few violations are kept.
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
