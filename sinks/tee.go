// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// TeeSink is what [Tee] returns.
type TeeSink struct {
	primary events.Sink
	more    []events.Sink
	failed  atomic.Int64
}

// Tee writes to primary and returns its answer. It then passes each write that primary
// has stored to the other sinks, once and in order, without a retry. A
// failure or panic of these is counted and logged, and has no other effect. They share
// the deadline of the write, so a slow sink costs throughput. No sink may be nil.
//
// An event that a [Filter] leaves out is not a failure. If primary is one, the others get
// also what that leaves out, and it counts as recorded if one of them takes it: so
// Tee(Filter(api, warnings), log) keeps only Warnings in the API server, and everything in
// the log.
func Tee(primary events.Sink, more ...events.Sink) *TeeSink {
	return &TeeSink{primary: primary, more: more}
}

// Create implements [events.Sink].
func (t *TeeSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := t.primary.Create(ctx, event)
	// "Already exists" means that an earlier attempt had no answer, so the other
	// sinks do not have the event.
	if err == nil || apierrors.IsAlreadyExists(err) || errors.Is(err, events.ErrFiltered) {
		err = t.share(ctx, event, err, func(s events.Sink) error {
			_, err := s.Create(ctx, event)
			return err
		})
	}
	return stored, err
}

// Patch implements [events.Sink].
func (t *TeeSink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	stored, err := t.primary.Patch(ctx, event, patch)
	stores := err == nil || errors.Is(err, events.ErrFiltered)
	if stores && event.Series != nil { // without a series it only reads the Event
		patch = withoutVersion(patch)
		err = t.share(ctx, event, err, func(s events.Sink) error {
			_, err := s.Patch(ctx, event, patch)
			return err
		})
	}
	return stored, err
}

// withoutVersion removes the resourceVersion from patch. It is the primary's, and
// would be a conflict in any other store.
func withoutVersion(patch []byte) []byte {
	var body map[string]json.RawMessage
	var metadata map[string]json.RawMessage
	if json.Unmarshal(patch, &body) != nil || json.Unmarshal(body["metadata"], &metadata) != nil {
		return patch
	}
	delete(metadata, "resourceVersion")
	body["metadata"], _ = json.Marshal(metadata) // both were decoded from JSON
	patch, _ = json.Marshal(body)
	return patch
}

// Failed returns the number of writes that secondary sinks failed to take.
func (t *TeeSink) Failed() int64 { return t.failed.Load() }

// share passes a write to the secondary sinks. It returns the answer of the primary one,
// unless that filtered out what another one has taken.
func (t *TeeSink) share(
	ctx context.Context, event *eventsv1.Event, answer error, write func(events.Sink) error,
) error {
	for _, sink := range t.more {
		var err error
		if panicked := usercode.Call(func() { err = write(sink) }); panicked != nil {
			err = panicked
		}
		switch {
		case errors.Is(err, events.ErrFiltered):
		case err != nil:
			t.logFailure(ctx, event, err)
		case errors.Is(answer, events.ErrFiltered):
			answer = nil
		}
	}
	return answer
}

// logFailure counts failures and logs the 1st, 2nd, 4th, 8th, … failure: a sink that is broken for
// good must not fill the log.
func (t *TeeSink) logFailure(ctx context.Context, event *eventsv1.Event, err error) {
	if failed := t.failed.Add(1); failed&(failed-1) == 0 {
		usercode.Logger(klog.FromContext(ctx)).Error(err, "A secondary sink failed; Tee does not retry it",
			"advice", "tee", "event", klog.KRef(event.Namespace, event.Name), "failed", failed)
	}
}
