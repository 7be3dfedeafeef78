// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"io"
	"runtime/debug"
	"testing"
	"testing/synctest"
)

// Report is what came of a run.
type Report struct {
	Script     Script
	Hash       uint64 // of all that happened
	Census     Census
	Violations []string
}

// Run runs a script in a bubble of its own. What happens is written to text,
// unless that is nil.
func Run(t *testing.T, s Script, text io.Writer) (r *Report) {
	r = &Report{Script: s, Census: Census{}}
	defer func() {
		if p := recover(); p != nil { // synctest's: some goroutine is left and can never go on
			r.Violations = append(r.Violations, fmt.Sprintf("I6: %v", p))
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
