// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import "context"

type throttleKey struct{}

// OnThrottle returns a context whose requests call wait when they begin to wait for the
// rate limiter of the client, and what it returned when they have waited.
func OnThrottle(ctx context.Context, wait func() (sent func())) context.Context {
	return context.WithValue(ctx, throttleKey{}, wait)
}

// Throttle says that the request of ctx waits for the rate limiter of the client, until
// sent is called.
func Throttle(ctx context.Context) (sent func()) {
	if wait, ok := ctx.Value(throttleKey{}).(func() func()); ok {
		return wait()
	}
	return func() {}
}
