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

// Report is what came of a run.
type Report struct {
	Seed       uint64
	Hash       uint64 // of all that happened
	Census     Census
	Violations []string
}

// Failed tells whether anything went wrong.
func (r *Report) Failed() bool { return len(r.Violations) > 0 }

// Rule is the name of the promise that was broken first, such as I4.
func (r *Report) Rule() string {
	_, what, _ := strings.Cut(r.Violations[0], ": ")
	rule, _, _ := strings.Cut(what, " ")
	return rule
}

// Run runs a script in a bubble of its own. What happens is written to text,
// unless that is nil.
func Run(t *testing.T, s Script, text io.Writer) (r *Report) {
	r = &Report{Seed: s.Seed, Census: Census{}}
	defer func() {
		if p := recover(); p != nil { // synctest's: some goroutine is left and can never go on
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
			r.Hash, r.Census, r.Violations = trace.hash, w.census, w.violations
		}()
		w.run()
	})
	return r
}
