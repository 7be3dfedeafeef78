// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/conformance"
)

// recording is a T that only records whether its test has failed or was skipped.
type recording struct {
	ctx context.Context

	// mu guards the fields below.
	mu       sync.Mutex
	failures []string
	skipped  bool
}

func (r *recording) Helper()                  {}
func (r *recording) Context() context.Context { return r.ctx }

func (r *recording) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recording) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recording) Skipf(string, ...any) {
	r.skipped = true
	runtime.Goexit()
}

// recordings has a recording for each rule, by the name of the rule.
type recordings map[string]*recording

// try checks every rule on a sink of its own, as TestSink does.
func try(t *testing.T, newSink func() events.Sink) recordings {
	all := recordings{}
	for _, rule := range conformance.Rules() {
		r := &recording{ctx: t.Context()}
		var trying sync.WaitGroup
		trying.Go(func() { rule.Check(r, newSink()) })
		trying.Wait()
		all[rule.Name] = r
	}
	return all
}

// names returns the names of the rules for whose recording is returns true.
func (all recordings) names(is func(*recording) bool) string {
	var names []string
	for name, r := range all {
		if is(r) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func failed(r *recording) bool  { return len(r.failures) > 0 }
func skipped(r *recording) bool { return r.skipped }
