// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// singleFlight lets concurrent callers share one request. Its owner's lock guards
// it. The zero value is ready.
type singleFlight struct {
	running chan struct{} // closed when the request under way ends; nil if none is
	last    time.Time     // the end of the last request
}

// do calls request, or waits for the caller that does, until ctx ends. It reports
// whether it called request. The owner holds mu, which do releases while it waits.
func (f *singleFlight) do(ctx context.Context, mu *sync.Mutex, clk clock.PassiveClock, request func()) bool {
	if running := f.running; running != nil {
		mu.Unlock()
		defer mu.Lock()
		select {
		case <-running:
		case <-ctx.Done():
		}
		return false
	}
	running := make(chan struct{})
	f.running = running
	mu.Unlock()
	request()
	mu.Lock()
	// A timeout counts, because the next write would only time out as well. At a drain
	// the caller gave up, and another one may ask.
	if ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f.last = clk.Now()
	}
	f.running = nil
	close(running)
	return true
}
