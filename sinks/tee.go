// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/usercode"
)

// TeeSink is what [Tee] returns.
type TeeSink struct {
	// sinks has the primary first.
	sinks  []events.Sink
	failed atomic.Int64
}

// Tee writes to primary and returns its answer. It then passes each write that primary
// has stored to the other sinks, once and in order, without a retry. A
// failure or panic of these is counted and logged, and has no other effect. They share
// the deadline of the write, so a slow sink costs throughput. An event that a [Filter]
// among them leaves out is not a failure. No sink may be nil.
//
// For an event that primary itself leaves out, because it is a Filter, the next sink
// takes its place. So it is Dropped[DropFiltered] only if all sinks leave it out.
func Tee(primary events.Sink, more ...events.Sink) *TeeSink {
	return &TeeSink{sinks: append([]events.Sink{primary}, more...)}
}

// Create implements [events.Sink].
func (t *TeeSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	create := func(s events.Sink) (*eventsv1.Event, error) { return s.Create(ctx, event) }
	return t.write(ctx, event, request.Request{Op: request.Create}, create, create)
}

// Patch implements [events.Sink].
func (t *TeeSink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return t.write(ctx, event, request.Request{Op: request.Patch, ReadVersion: string(patch) == "{}"},
		func(s events.Sink) (*eventsv1.Event, error) { return s.Patch(ctx, event, patch) },
		func(s events.Sink) (*eventsv1.Event, error) { return s.Patch(ctx, event, withoutVersion(patch)) })
}

// Flush implements [events.Flusher].
func (t *TeeSink) Flush(ctx context.Context) error {
	errs := make([]error, len(t.sinks))
	for i, sink := range t.sinks {
		if panicked := usercode.Call(func() { errs[i] = flush(ctx, sink) }); panicked != nil {
			errs[i] = panicked
		}
	}
	return errors.Join(errs...)
}

// send makes one write through a sink.
type send func(events.Sink) (*eventsv1.Event, error)

// write asks the sinks for an answer until one does not leave the event out, and shows
// the rest what that has stored. The answer to a Create that the sink has already is
// such an answer: the earlier attempt had none, and so nobody else has seen it.
func (t *TeeSink) write(
	ctx context.Context, event *eventsv1.Event, r request.Request, answer, copied send,
) (*eventsv1.Event, error) {
	if info := request.InfoFrom(ctx); info != nil {
		// It says what a 409 means.
		r = info.Request
	}
	for i, sink := range t.sinks {
		stored, err := answer(sink)
		if errors.Is(err, events.ErrFiltered) {
			continue
		}
		_, err = request.ClassifyOnce(err)
		if !r.ReadVersion && request.Classify(r, err).Action == request.Stored {
			t.share(ctx, event, t.sinks[i+1:], copied)
		}
		return stored, err
	}
	return nil, events.ErrFiltered
}

// withoutVersion removes the resourceVersion from patch. It is the primary's, and
// would be a conflict in any other store.
func withoutVersion(patch []byte) []byte {
	var body map[string]any
	_ = json.Unmarshal(patch, &body)
	if metadata, ok := body["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
		patch, _ = json.Marshal(body) // it was decoded from JSON
	}
	return patch
}

// Failed returns the number of writes that secondary sinks failed to take.
func (t *TeeSink) Failed() int64 { return t.failed.Load() }

// share passes a write to more sinks. Of the failures it logs the 1st, 2nd, 4th, 8th, …: a
// sink that is broken for good must not fill the log.
func (t *TeeSink) share(ctx context.Context, event *eventsv1.Event, more []events.Sink, write send) {
	for _, sink := range more {
		var err error
		if panicked := usercode.Call(func() { _, err = write(sink) }); panicked != nil {
			err = panicked
		}
		if err == nil || errors.Is(err, events.ErrFiltered) {
			continue
		}
		if failed := t.failed.Add(1); failed&(failed-1) == 0 {
			usercode.Logger(klog.FromContext(ctx)).Error(err, "A secondary sink failed; Tee does not retry it",
				"advice", "tee", "event", klog.KRef(event.Namespace, event.Name), "failed", failed)
		}
	}
}
