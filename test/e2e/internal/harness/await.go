// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import "time"

// How long, and how often, to ask the server about what it does on its own.
const (
	awaitBound = 30 * time.Second
	awaitPause = 20 * time.Millisecond
)

// Await polls done until it reports true, or fails the test after a bound. It is for
// the work of the server. Tests wait for the SDK's own work without polling.
func (e *Env) Await(what string, done func() bool) {
	e.t.Helper()
	for deadline := time.Now().Add(awaitBound); !done(); time.Sleep(awaitPause) {
		if time.Now().After(deadline) {
			e.t.Fatalf("waited %v for %s", awaitBound, what)
		}
	}
}
