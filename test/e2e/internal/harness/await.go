// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import "time"

// How long, and how often, the server is asked about what it does on its own.
const (
	awaitBound = 30 * time.Second
	awaitPause = 20 * time.Millisecond
)

// Await asks done until it says yes, or fails the test after a bound. It is for
// what nobody can wait for otherwise, and so never for the SDK's own work.
func (e *Env) Await(what string, done func() bool) {
	e.t.Helper()
	for deadline := time.Now().Add(awaitBound); !done(); time.Sleep(awaitPause) {
		if time.Now().After(deadline) {
			e.t.Fatalf("waited %v for %s", awaitBound, what)
		}
	}
}
