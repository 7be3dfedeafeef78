// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// world is one run of a script, inside a bubble. Its methods are called by the
// driver alone, the bubble's first goroutine, so that nothing in it needs a lock
// but what the SDK's goroutines call back.
type world struct {
	script  *Script
	server  *apiserver.Server
	weather weather
	arrived map[*apiserver.Request]bool  // the requests that wait
	fates   map[*apiserver.Request]*fate // and what is to become of them

	slots []*component // the present incarnation of each component
	all   []*component // every incarnation
	jobs  []*job       // Flush, Drain and Shutdown, which run beside the driver
	beats []*beat      // what is recorded again and again
	group lifecycle.Group

	policy     string // the reason of events that it refuses
	states     map[string]apiserver.NamespaceState
	terminated time.Time                      // when a namespace last said that it terminates
	acked      map[types.NamespacedName]int64 // the counts that their writers know to be stored
	rejected   map[string]bool                // components that were told so
	gone       bool                           // a namespace was not active
	histories  map[types.NamespacedName]*history
	emitted    int // occurrences so far, to tell notes apart

	began      time.Time
	closing    bool // the components end, whatever was found
	trace      *trace
	census     Census
	blamed     int // of the server's own violations
	violations []string
}

const maxViolations = 3

func newWorld(s *Script, t *trace) *world {
	w := &world{
		script: s, trace: t, census: Census{}, began: time.Now(), policy: s.Config.Policy,
		server:  apiserver.New(time.Now),
		arrived: map[*apiserver.Request]bool{}, fates: map[*apiserver.Request]*fate{},
		states: map[string]apiserver.NamespaceState{}, acked: map[types.NamespacedName]int64{},
		histories: map[types.NamespacedName]*history{}, rejected: map[string]bool{},
	}
	w.weather = clearSky(rand.New(rand.NewPCG(s.Seed, 2)))
	w.server.TakeTurns()
	w.server.SetTTL(s.Config.TTL)
	for i := range s.Config.Components {
		time.Sleep(time.Nanosecond) // no two components have the same jitter
		w.slots = append(w.slots, nil)
		w.incarnate(i)
	}
	return w
}

// run does all steps, ends all components and returns what went wrong.
func (w *world) run() {
	w.settle()
	for i, step := range w.script.Steps {
		w.note("%d: %s", i, step)
		w.census.add("step", acts[step.Act].name)
		acts[step.Act].do(w, step.Args)
		w.settle()
		w.checkAll()
		if len(w.violations) > 0 {
			break
		}
	}
	if w.script.Config.End != abruptly && len(w.violations) == 0 {
		w.heal()
	}
	w.finish()
	w.census["simulated/seconds"] += int64(time.Since(w.began).Seconds())
	w.group.Wait(context.Background())
	for _, c := range w.all {
		c.cancel() // some were never started
	}
}

// settle lets everything run until it waits, and takes note of what happened.
func (w *world) settle() {
	for ran := true; ran; ran = w.server.Release() {
		synctest.Wait()
	}
	select {
	case <-w.server.Arrived():
	default:
	}
	w.plan()
	w.reap()
}

// pass lets d go by, with what falls due meanwhile.
func (w *world) pass(d time.Duration) {
	w.passUntil(time.Now().Add(d), func() bool { return false })
}

// passUntil stops at end, or as soon as done.
func (w *world) passUntil(end time.Time, done func() bool) {
	for {
		w.settle()
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

// next is what falls due first, a request or a beat; do is nil if nothing will.
func (w *world) next() (due time.Time, do func()) {
	if b := w.nextBeat(); b != nil {
		due, do = b.due, func() { w.beatOnce(b) }
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
	case <-w.server.Arrived():
	case <-timer.C:
	}
}

// fail books a violation of what the SDK promises. What comes after the first few
// says nothing new.
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
