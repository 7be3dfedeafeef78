// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
)

// Report is the result of a run.
type Report struct {
	Seed uint64
	// Hash is the hash of the trace.
	Hash       uint64
	Coverage   Coverage
	Violations []string
}

// Failed reports whether the run violated an invariant.
func (r *Report) Failed() bool { return len(r.Violations) > 0 }

// Rule returns the name of the invariant that was violated first, such as I4.
func (r *Report) Rule() string {
	_, what, _ := strings.Cut(r.Violations[0], ": ")
	rule, _, _ := strings.Cut(what, " ")
	return rule
}

// Run runs a script in a testing/synctest bubble. It writes the trace to text, unless text is nil.
func Run(t *testing.T, s Script, text io.Writer) (r *Report) {
	r = &Report{Seed: s.Seed, Coverage: Coverage{}}
	defer func() {
		// synctest panics if a goroutine is left that is blocked for ever.
		if p := recover(); p != nil {
			r.Violations = append(r.Violations, fmt.Sprintf("at the end: I6: %v", p))
		}
	}()
	synctest.Test(t, func(*testing.T) {
		trace := &trace{text: text}
		w := newWorld(&s, trace)
		defer func() {
			if p := recover(); p != nil {
				w.fail("panic: %v\n%s", p, debug.Stack())
			}
			r.Hash, r.Coverage, r.Violations = trace.hash, w.coverage, w.violations
		}()
		w.run()
	})
	return r
}
