// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"flag"
	"sync"
	"testing"
	"testing/synctest"
)

// Simulate calls f in a bubble of its own, in a program that is no test. A bubble
// needs a *testing.T, which only testing.Main gives; that would end the program
// with its test, so the test goes on for as long as the program does.
func Simulate(f func()) {
	start()
	done := make(chan struct{})
	simulations <- func(t *testing.T) {
		defer close(done)
		synctest.Test(t, func(*testing.T) { f() })
	}
	<-done
}

var simulations = make(chan func(*testing.T))

var start = sync.OnceFunc(func() {
	if !flag.Parsed() {
		_ = flag.CommandLine.Parse(nil) // testing would read the program's flags as its own
	}
	test := testing.InternalTest{Name: "simulation", F: func(t *testing.T) {
		for simulate := range simulations {
			simulate(t)
		}
	}}
	all := func(string, string) (bool, error) { return true, nil }
	go testing.Main(all, []testing.InternalTest{test}, nil, nil)
})
