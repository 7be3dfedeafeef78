// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

// violation is a broken promise.
type violation struct{ promise, text string }

func (v violation) String() string { return v.promise + ": " + v.text }

// world is one run of a schedule.
type world struct {
	s *schedule
	// broken is the zero value except in TestBreakagesAreFound.
	broken    breakage
	server    *server
	processes []*process
	began     time.Time
	tracing   bool
	// running has the goroutines of spawn.
	running sync.WaitGroup

	// mu guards the fields below. No goroutine sleeps while it holds mu.
	mu         sync.Mutex
	violations []violation
	trace      []string
	// requests is the number of requests so far.
	requests int
	// inPlace counts, for each namespace with a rate limit, the requests that the limit counts.
	inPlace [len(places)]int
	// lasting has the fault that all requests in a namespace have at present. The key "" is for all
	// namespaces.
	lasting map[string]faultKind
	// calmSince is the time at which all faults ended. It is zero before.
	calmSince time.Time
}

// run plays a schedule in a bubble. The returned world has the violations.
func run(t *testing.T, s *schedule, broken breakage, tracing bool) (w *world) {
	t.Helper()
	w = &world{s: s, broken: broken, tracing: tracing, lasting: map[string]faultKind{}}
	w.server = newServer(w)
	before := runtime.NumGoroutine()
	defer func() {
		// A bubble in which all goroutines wait for ever panics, for example.
		if panicked := recover(); panicked != nil {
			w.fail("it hangs or panics", "%v", panicked)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		inBubble := runtime.NumGoroutine()
		w.play()
		synctest.Wait()
		if n := runtime.NumGoroutine(); n > inBubble {
			w.fail("goroutines are left", "%d: %v", n-inBubble, goleak.Find())
			// Give them time to end by themselves, because the bubble must not end before them.
			time.Sleep(2 * time.Hour)
		}
	})
	if n := runtime.NumGoroutine(); n > before {
		if err := goleak.Find(); err != nil {
			w.fail("goroutines are left", "%v", err)
		}
	}
	return w
}

// play takes all steps, ends all processes, and checks the result.
func (w *world) play() {
	w.began = time.Now()
	for _, one := range w.s.steps {
		for len(w.processes) <= one.process {
			w.processes = append(w.processes, newProcess(w, len(w.processes)))
		}
	}
	for _, one := range w.s.steps {
		time.Sleep(time.Until(w.began.Add(one.at)))
		w.tracef("%v", one)
		w.take(one)
	}
	w.running.Wait()
	stuck := false
	for _, p := range w.processes {
		p.finish()
		stuck = stuck || p.isStuck()
	}
	if stuck {
		// Calls of a sink may outlive their broadcaster for this time.
		time.Sleep(longestLate + time.Second)
	}
	// Wait for requests that arrive late.
	w.running.Wait()
	synctest.Wait()
	for _, p := range w.processes {
		p.checkEnd()
	}
}

// take takes one step. A step that takes time runs in a goroutine of its own.
func (w *world) take(one step) {
	p := w.processes[one.process]
	switch one.do {
	case begin:
		p.begin()
	case emit:
		if one.aside {
			w.spawn(func() { p.emit(one.key, one.n) })
		} else {
			p.emit(one.key, one.n)
		}
	case loop:
		w.spawn(func() { p.emitLoop(one.key, one.n, one.bound) })
	case garbage:
		p.emitGarbage()
	case flush:
		w.spawn(func() { p.flush(one.bound) })
	case look:
		synctest.Wait()
		for _, p := range w.processes {
			p.check()
		}
	case unselect:
		p.selectBy("reason!=" + reasons[one.n].name)
	case selectAll:
		p.selectBy("")
	case fail:
		w.setLasting(one.where, one.fault)
	case mend:
		w.setLasting(one.where, none)
	case remove:
		w.server.delete(one.n)
	case annotate:
		w.server.touch(one.n)
	case calm:
		w.mu.Lock()
		w.calmSince = time.Now()
		w.mu.Unlock()
	case suspend:
		p.aheadBy.Add(int64(one.bound))
	case drain, shutdown, depart, beside, leave, kill:
		w.spawn(func() { p.end(one.do, one.bound) })
	}
}

// spawn runs f in a goroutine, for which play waits.
func (w *world) spawn(f func()) { w.running.Go(f) }

// later runs f after d.
func (w *world) later(d time.Duration, f func()) {
	w.spawn(func() {
		time.Sleep(d)
		f()
	})
}

func (w *world) setLasting(where string, kind faultKind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lasting[where] = kind
}

// nextFault returns the fault of the next request.
func (w *world) nextFault(r *request) fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := fault{kind: none, latency: 5 * time.Millisecond}
	if w.requests < len(w.s.faults) {
		f = w.s.faults[w.requests]
	}
	w.requests++
	switch {
	case !w.calmSince.IsZero():
		f.kind = none
		f.latency = min(f.latency, 20*time.Millisecond)
	case len(w.violations) > 0:
		// The test has failed already. If the SDK is in a hot loop, this makes the run end soon.
		f.latency += time.Second
	case w.s.options.sick && r.namespace != sickNamespace:
		f.kind = none
		f.latency = min(f.latency, 20*time.Millisecond)
		w.mannerLocked(r, &f)
	case w.lastingLocked(r.namespace) != none:
		f.kind = w.lastingLocked(r.namespace)
	default:
		w.mannerLocked(r, &f)
	}
	return f
}

// mannerLocked adds the latency and the rate limit of the namespace of r to f.
func (w *world) mannerLocked(r *request, f *fault) {
	i := slices.Index(places[:], r.namespace)
	m := w.s.options.manners[i]
	if r.create {
		f.latency += m.create
	} else {
		f.latency += m.patch
	}
	if m.limited && f.kind == none {
		w.inPlace[i]++
		if w.inPlace[i]%2 == 0 {
			f.kind = answer429
		}
	}
}

// lastingLocked returns the fault that all requests in a namespace have at present.
func (w *world) lastingLocked(namespace string) faultKind {
	for _, where := range []string{"", namespace} {
		if kind, ok := w.lasting[where]; ok && kind != none {
			return kind
		}
	}
	return none
}

// isCalm reports whether all faults ended at least d ago.
func (w *world) isCalm(d time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.calmSince.IsZero() && time.Since(w.calmSince) >= d
}

// fail records a violation.
func (w *world) fail(promise, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	w.violations = append(w.violations, violation{promise, text})
	if w.tracing {
		w.trace = append(w.trace, fmt.Sprintf("%v VIOLATION %s: %s", time.Since(w.began), promise, text))
	}
}

// tracef adds a line to the trace if there is one.
func (w *world) tracef(format string, args ...any) {
	if !w.tracing {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace = append(w.trace, fmt.Sprintf("%v ", time.Since(w.began))+fmt.Sprintf(format, args...))
}

// excerpt returns at most about most lines of the trace, without its middle.
func (w *world) excerpt(most int) string {
	lines := w.trace
	if len(lines) > most {
		omitted := fmt.Sprintf("… %d lines …", len(lines)-most)
		lines = append(append(append([]string(nil), lines[:most/2]...), omitted), lines[len(lines)-most/2:]...)
	}
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%.400s\n", line)
	}
	return b.String()
}
