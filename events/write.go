// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"time"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/request"
)

// Request is one request to the API server, as [Broadcaster.OnRequest] reports it.
type Request struct {
	// Operation is "create" or "patch".
	Operation string
	// API is "events.k8s.io/v1" or "v1". It is empty for a [Sink] that has no client of the SDK.
	API string
	// Code is the HTTP status of the answer. It is 0 if there was none, or if the error of
	// a Sink has none.
	Code int
	// Duration is the time until the answer, with what the client's rate limiter took.
	Duration time.Duration
	// Attempt counts from 1, since the last request for the same Event that succeeded.
	Attempt int
}

// OnRequest calls handle after each request, from now until stop is called. It is called
// by the goroutine that made the request, without a lock, and must not block, because the
// next request waits for it. It must be safe for concurrent use. A panic is logged.
func (b *Broadcaster) OnRequest(handle func(Request)) (stop func()) {
	return b.engine.OnRequest(func(r engine.Request) { handle(Request(r)) })
}

// Write is what a [Sink] is asked for.
type Write struct {
	// Attempt counts from 1, since the last write of the series that was acknowledged.
	Attempt int
	// Total is the count that the Event gets, with what other processes count in it under
	// [WithSharedCounts]. Delta is what the write adds to it. The sum of the deltas of all
	// acknowledged writes is [Stats.Recorded]. Delta is 0 if a patch only asks for the
	// resourceVersion.
	Delta, Total int64
}

// WriteFromContext returns the write that a broadcaster asks its [Sink] for. ctx is what
// Create or Patch got; ok is false for the context of any other caller.
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
