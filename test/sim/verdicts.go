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

// verdicts is a sink that counts how its answers are classified.
type verdicts struct {
	sink events.Sink

	mu     sync.Mutex // guards counts
	counts map[request.Action]int64
}

func newVerdicts(sink events.Sink) *verdicts {
	return &verdicts{sink: sink, counts: map[request.Action]int64{}}
}

// Create implements [events.Sink].
func (j *verdicts) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := j.sink.Create(ctx, e)
	j.add(err)
	return stored, err
}

// Patch implements [events.Sink].
func (j *verdicts) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	stored, err := j.sink.Patch(ctx, e, patch)
	j.add(err)
	return stored, err
}

func (j *verdicts) add(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.counts[request.Classify(request.Request{}, err).Action]++
}

func (j *verdicts) addTo(coverage Coverage) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for action, n := range j.counts {
		coverage["verdict/"+actionNames[action]] += n
	}
}

var actionNames = map[request.Action]string{
	request.Stored: "Settle", request.Recreate: "Recreate", request.Resend: "Resend", request.Retry: "Retry",
	request.Unsupported: "Unsupported", request.Forbidden: "Forbidden", request.Drop: "Drop",
}
