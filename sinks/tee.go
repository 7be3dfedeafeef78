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

// TeeSink is a sink that writes to several sinks. Create one with [Tee].
type TeeSink struct {
	// sinks lists all sinks, with the primary first.
	sinks  []events.Sink
	failed atomic.Int64
}

// Tee returns a sink that writes to primary, and copies each write that primary has stored to the
// other sinks, the parameter more. None of the sinks may be nil.
//
// The broadcaster receives the answer of primary, and retries a write that primary has not stored.
// When primary has stored a write, Tee passes it to the other sinks once, in order and without
// retries. If another sink fails or panics, the failure is counted and logged, and has no other
// effect. It does not count as a failure if a [Filter] among the other sinks removes an Event.
//
// All sinks share the deadline of the write, so a slow sink reduces the throughput.
//
// If primary itself is a Filter and removes the Event, the next sink takes the place of primary for
// this write. If that sink removes the Event as well, the sink after it does, and so on. The Event
// is Dropped[DropFiltered] only if every sink removes it.
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

// send makes one write to a sink.
type send func(events.Sink) (*eventsv1.Event, error)

// write calls answer for one sink after the other, until a sink does not filter the Event, and
// returns the answer of that sink. If that sink has stored the write, write passes the copied write
// to the remaining sinks.
//
// A Create to which a sink answers that it already has the Event counts as stored, because an
// earlier attempt whose answer was lost has stored it, and the remaining sinks have not seen that
// attempt.
func (t *TeeSink) write(
	ctx context.Context, event *eventsv1.Event, r request.Request, answer, copied send,
) (*eventsv1.Event, error) {
	if info := request.InfoFrom(ctx); info != nil {
		// The request of the broadcaster is needed to classify a 409.
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

// withoutVersion removes the resourceVersion from patch. The version belongs to the store of the
// primary, and would cause a conflict in any other store.
func withoutVersion(patch []byte) []byte {
	var body map[string]any
	_ = json.Unmarshal(patch, &body)
	if metadata, ok := body["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
		// The error is always nil, because body was decoded from JSON.
		patch, _ = json.Marshal(body)
	}
	return patch
}

// Failed returns the number of writes that failed in a sink other than the primary. It is safe for
// concurrent use.
func (t *TeeSink) Failed() int64 { return t.failed.Load() }

// share passes a write to each of the sinks in others. It logs only the 1st, 2nd, 4th, 8th, …
// failure, so that a sink that always fails does not fill the log.
func (t *TeeSink) share(ctx context.Context, event *eventsv1.Event, others []events.Sink, write send) {
	for _, sink := range others {
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
