// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"time"

	"go.uber.org/goleak"
)

// AwaitNoGoroutine waits until only goroutines of the testing package are left, or
// fails the test after a bound. It is for tests that have nothing else to wait for.
func (e *Env) AwaitNoGoroutine(bound time.Duration) {
	e.t.Helper()
	for deadline := time.Now().Add(bound); ; time.Sleep(awaitPause) {
		e.closeIdle()
		err := goleak.Find()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			e.t.Fatalf("after %v: %v", bound, err)
		}
	}
}
