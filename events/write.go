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
	// Code is the HTTP status of the answer. It is 0 if there was no answer, or if the error of a
	// Sink has no HTTP status.
	Code int
	// Duration is the time until the answer. It includes the time for which the rate limiter of the
	// client delayed the request.
	Duration time.Duration
	// Attempt is 1 for the first request after the last successful one for the same Event, 2 for
	// its first retry, and so on.
	Attempt int
}

// OnRequest calls handle after each request, from now until stop is called. The goroutine that made
// the request calls it, without holding a lock. handle must be safe for concurrent use. It must not
// block, because the next request waits for it. A panic of handle is logged.
func (b *Broadcaster) OnRequest(handle func(Request)) (stop func()) {
	return b.engine.OnRequest(func(r engine.Request) { handle(Request(r)) })
}

// Write describes one call of a [Sink] by a broadcaster.
type Write struct {
	// Attempt is 1 for the first write after the last acknowledged one of the series, 2 for its
	// first retry, and so on.
	Attempt int
	// Delta is the number of occurrences that the write adds to the count of the Event. The sum of
	// the deltas of all acknowledged writes is [Stats.Recorded]. Delta is 0 if a patch only asks
	// for the stored Event.
	Delta int64
	// Total is the count of the Event after the write. With [WithSharedCounts] it includes the
	// occurrences that other processes have counted.
	Total int64
}

// WriteFromContext returns the write for which a broadcaster calls Create or Patch of its [Sink].
// ctx is the context of that call. ok is false if ctx is not such a context.
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
