// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/progress"
)

// simulate compares the two sides in simulated time, prints the table and ends
// the program. Time in a testing/synctest bubble passes when all goroutines in
// it wait, so an hour takes as long as the work in it, and client-go needs no
// change to live there. A bubble needs a *testing.T, which testing.Main gives.
func simulate(o options) {
	os.Args = os.Args[:1] // testing.Main would read our flags as its own
	testing.Main(
		func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "kubelet-migration", F: func(t *testing.T) {
			if err := simulateAndPrint(t, o); err != nil {
				fail(1, err)
			}
			os.Exit(0) // testing.Main would print PASS
		}}},
		nil, nil,
	)
}

func simulateAndPrint(t *testing.T, o options) error {
	line := progress.New(os.Stderr)
	var results []result
	for _, side := range []side{before, after} {
		line.Say("%s: simulating %v", side.name, o.duration)
		began := time.Now() // outside of the bubble: real time
		out, err := simulateSide(t, node{
			name: "node-1", side: side, api: memoryAPI(), options: o,
			progress: func(done time.Duration) { line.Step(side.name, done, o.duration) },
		})
		if err != nil {
			return err
		}
		line.Say("%s: done in %v", side.name, time.Since(began).Round(10*time.Millisecond))
		results = append(results, out)
	}
	return printTable(os.Stdout, o, results[0], results[1])
}

// simulateSide runs a node in a bubble of its own.
func simulateSide(t *testing.T, n node) (out result, err error) {
	synctest.Test(t, func(*testing.T) {
		out, err = n.run(context.Background())
	})
	return out, err
}
