// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// meter is a transport that counts what the server took.
type meter struct {
	next  http.RoundTripper
	calls atomic.Int64
	taken atomic.Int64
	last  atomic.Int64 // when the last one was taken, in Unix nanoseconds
}

// RoundTrip implements [http.RoundTripper].
func (m *meter) RoundTrip(r *http.Request) (*http.Response, error) {
	m.calls.Add(1)
	response, err := m.next.RoundTrip(r)
	if err == nil && response.StatusCode < http.StatusMultipleChoices {
		m.taken.Add(1)
		m.last.Store(time.Now().UnixNano())
	}
	return response, err
}

// WrappedRoundTripper lets client-go find the connections, to close them.
func (m *meter) WrappedRoundTripper() http.RoundTripper { return m.next }

// reset begins a new count.
func (m *meter) reset() {
	m.calls.Store(0)
	m.taken.Store(0)
	m.last.Store(0)
}

// patience is how long nothing must arrive of a recorder that cannot say when it is
// done, which is many times the longest gap between two of its writes, and longer
// than the back-off of client-go's recorders after a failure (10 to 12.5 seconds).
const patience = 15 * time.Second

// quiet returns when the server has taken want, or nothing more for patience, and
// says when it took the last.
func (m *meter) quiet(ctx context.Context, want int, patience time.Duration) (last time.Time, err error) {
	const look = 20 * time.Millisecond
	seen, since := int64(-1), time.Now()
	for {
		switch taken := m.taken.Load(); {
		case taken >= int64(want):
			return time.Unix(0, m.last.Load()), nil
		case taken > seen:
			seen, since = taken, time.Now()
		case time.Since(since) > patience:
			return time.Unix(0, m.last.Load()), nil
		}
		select {
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		case <-time.After(look):
		}
	}
}
