// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"time"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/request"
)

// Request describes one request to the API server. [Broadcaster.OnRequest] reports it.
type Request struct {
	// Operation is "create" or "patch".
	Operation string
	// API is "events.k8s.io/v1" or "v1". It is empty for a [Sink] that is not a client of the SDK.
	API string
	// Code is the HTTP status of the answer. It is 0 if there was no answer, or if a Sink returned
	// an error without an HTTP status.
	Code int
	// Duration is the time until the answer, including any delay by the client's rate limiter.
	Duration time.Duration
	// Attempt is 1 for the first request after the last successful request for the same Event, 2
	// for the first retry of this request, and so on.
	Attempt int
}

// OnRequest makes the broadcaster call handle after each request, until stop is called. handle is
// called in the goroutine that made the request, without a lock held, and must be safe for
// concurrent use. It must not block, because the next request waits for it. If handle panics, the
// panic is logged.
func (b *Broadcaster) OnRequest(handle func(Request)) (stop func()) {
	return b.engine.OnRequest(func(r engine.Request) { handle(Request(r)) })
}

// Write describes one call of a [Sink] by a broadcaster.
type Write struct {
	// Attempt is 1 for the first write after the last acknowledged write of the series, 2 for the
	// first retry of this write, and so on.
	Attempt int
	// Delta is the number of occurrences that the write adds to the count of the Event. The sum of
	// the deltas of all acknowledged writes is [Stats.Recorded]. Delta is 0 if a patch only reads
	// the stored Event.
	Delta int64
	// Total is the count of the Event after the write. With [WithSharedCounts] it includes the
	// occurrences that other processes have counted.
	Total int64
}

// WriteFromContext returns the write that ctx belongs to, if ctx is the context that a broadcaster
// has passed to Create or Patch of its [Sink]. Otherwise ok is false.
func WriteFromContext(ctx context.Context) (w Write, ok bool) {
	info := request.InfoFrom(ctx)
	if info == nil {
		return Write{}, false
	}
	return Write{
		Attempt: info.Attempt,
		Delta:   info.Delta,
		Total:   info.Total,
	}, true
}
