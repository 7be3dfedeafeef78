// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// simulate compares the two sides in simulated time, prints the table and ends the program. Time in a testing/synctest
// bubble passes when all goroutines in it wait, so an hour takes as long as the work in it. client-go needs no change
// to run there. A bubble needs a *testing.T, and testing.Main makes one.
func simulate(o options) {
	os.Args = os.Args[:1] // testing.Main would parse our flags as its own
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "kubelet-migration", F: func(t *testing.T) {
		var results []result
		for _, side := range []side{before, after} {
			say("%s: simulating %v", side.name, o.duration)
			began := time.Now() // real time, outside of the bubble
			out, err := simulateSide(t, o, side)
			if err != nil {
				fail(1, err)
			}
			say("%s: done in %v", side.name, time.Since(began).Round(10*time.Millisecond))
			results = append(results, out)
		}
		if err := printTable(os.Stdout, o, results[0], results[1]); err != nil {
			fail(1, err)
		}
		os.Exit(0) // testing.Main would print PASS
	}}}, nil, nil)
}

// simulateSide runs a node in a bubble of its own.
func simulateSide(t *testing.T, o options, side side) (out result, err error) {
	synctest.Test(t, func(*testing.T) {
		out, err = node{
			options: o,
			name:    "node-1",
			side:    side,
			api:     memoryAPI(),
		}.run(context.Background())
	})
	return out, err
}
