// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"sync"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
)

// judged is a sink that counts what answers mean.
type judged struct {
	sink events.Sink

	mu     sync.Mutex // guards counts
	counts map[request.Action]int64
}

func newJudged(sink events.Sink) *judged {
	return &judged{sink: sink, counts: map[request.Action]int64{}}
}

// Create implements [events.Sink].
func (j *judged) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := j.sink.Create(ctx, e)
	j.judge(err)
	return stored, err
}

// Patch implements [events.Sink].
func (j *judged) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	stored, err := j.sink.Patch(ctx, e, patch)
	j.judge(err)
	return stored, err
}

func (j *judged) judge(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.counts[request.Classify(request.Request{}, err).Action]++
}

func (j *judged) addTo(census Census) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for action, n := range j.counts {
		census["verdict/"+actionNames[action]] += n
	}
}

var actionNames = map[request.Action]string{
	request.Stored: "Settle", request.Recreate: "Recreate", request.Resend: "Resend", request.Retry: "Retry",
	request.Unsupported: "Unsupported", request.Forbidden: "Forbidden", request.Drop: "Drop",
}
