// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// sink is one destination of a broadcaster, with the client-go correlator that decides what is
// written to it.
type sink struct {
	// client sends the requests.
	client apiclient.CoreWriter
	// spans is true if the options have a KeyFunc, because such a function may count occurrences
	// about several objects as one Event.
	spans bool

	// asking serializes all calls of correlator. The functions in its options are the caller's
	// code, and with client-go they are never called concurrently.
	asking     sync.Mutex
	correlator *record.EventCorrelator
}

// Attach adds a sink, to which every later occurrence is written, too. Each sink has a correlator
// of its own, as in client-go. After a call of stop the sink gets no new occurrences, but the
// pending ones are still written to it. Attach returns an error if to is nil.
func (c *Core) Attach(to record.EventSink) (stop func(), err error) {
	client, err := apiclient.NewCoreWriter(to)
	if err != nil {
		return nil, err
	}
	s := &sink{
		client:     client,
		spans:      c.options.KeyFunc != nil,
		correlator: record.NewEventCorrelatorWithOptions(c.options),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sinks = append(c.sinks, s)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sinks = slices.DeleteFunc(c.sinks, func(other *sink) bool { return other == s })
	}, nil
}

// keyOf returns the key of the queue in which o waits. The occurrences of one queue are written in
// their order, so every two occurrences that the correlator may count together must have the same
// key.
//
// By default the correlator counts together only occurrences about one object. The key then has the
// fields by which client-go's spam filter tells sources and objects apart, except the type and the
// API version, so that it never splits what the filter joins. With a KeyFunc the key is the
// namespace alone.
func (s *sink) keyOf(o *series.Occurrence) objectKey {
	if s.spans {
		return objectKey{sink: s, namespace: o.Namespace}
	}
	object := &o.Regarding
	return objectKey{
		sink:      s,
		component: o.ReportingController,
		host:      o.ReportingInstance,
		group:     object.Group,
		kind:      object.Kind,
		namespace: object.Namespace,
		name:      object.Name,
		uid:       object.UID,
	}
}

// write is the answer of the correlator about one occurrence, as a request to one sink.
type write struct {
	series.Write
	sink *sink
	// event is the Event to send, with the name and the count that the correlator chose.
	event *corev1.Event
}

// correlate asks the correlator about o and returns the write to send. If there is nothing to send,
// it returns the reason for which o is dropped, and an error if the correlator or a function in its
// options failed.
//
// Each call counts o in the correlator, so it must be called once for each occurrence.
func (s *sink) correlate(o *occurrence) (w *write, reason stats.Reason, err error) {
	view := o.Event()
	own := CoreEvent(view)
	var answer *record.EventCorrelateResult
	s.asking.Lock()
	defer s.asking.Unlock()
	panicked := usercode.Call(func() { answer, err = s.correlator.EventCorrelate(own) })
	switch {
	case panicked != nil:
		return nil, stats.Invalid, fmt.Errorf("a function of the correlator's options %w", panicked)
	case err != nil:
		return nil, stats.Invalid, err
	case answer.Skip:
		return nil, stats.SpamFilter, nil
	}
	e := answer.Event
	// client-go leaves these fields empty in an Event that aggregates several.
	e.Labels = own.Labels
	e.Annotations = own.Annotations
	e.Action = own.Action
	e.Related = own.Related
	e.ReportingController = own.ReportingController
	e.ReportingInstance = own.ReportingInstance
	op := request.Create
	if e.Count > 1 {
		op = request.Patch
	} else {
		// The server refuses a Create with a resourceVersion.
		e.ResourceVersion = ""
	}
	view.Name = e.Name
	w = &write{sink: s, event: e}
	w.Write = series.Write{
		Info: request.Info{
			Request: request.Request{
				Op:            op,
				Unconditional: true,
				Recreates:     answer.Patch != nil,
			},
			Delta: 1,
			Total: int64(e.Count),
		},
		Event: view,
		Patch: answer.Patch,
		To:    w,
	}
	return w, stats.None, nil
}

// Create implements [series.Sink]. It sends the Event as the correlator made it. The argument,
// which has the form that the broadcaster logs, is ignored.
func (w *write) Create(ctx context.Context, _ *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, w.learn(w.sink.client.Create(ctx, w.event))
}

// Patch implements [series.Sink]. Like Create it ignores the Event of the argument.
func (w *write) Patch(ctx context.Context, _ *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return nil, w.learn(w.sink.client.Patch(ctx, w.event, patch))
}

// learn gives the correlator the stored Event, from which it makes its next patch, and returns err.
// stored may be nil although the write succeeded, because a sink of the caller need not return the
// Event.
func (w *write) learn(stored *corev1.Event, err error) error {
	if err == nil && stored != nil {
		w.sink.correlator.UpdateState(stored)
	}
	return err
}

// CoreEvent returns the Event that client-go's package record would make of an occurrence. Its
// eventTime is empty, because the API server applies the strict validation of events.k8s.io to
// every core/v1 Event that has one, and would refuse some Events that the old API accepts.
func CoreEvent(e *eventsv1.Event) *corev1.Event {
	core := eventconv.ToCore(e)
	at := metav1.NewTime(e.EventTime.Time)
	core.EventTime = metav1.MicroTime{}
	core.Source = corev1.EventSource{Component: e.ReportingController, Host: e.ReportingInstance}
	core.FirstTimestamp = at
	core.LastTimestamp = at
	core.Count = 1
	return core
}

// uniqueClock is a clock that never returns the same time twice. The name of an aggregate Event
// ends in the nanoseconds at which the correlator made it. If a coarse clock gave two of them the
// same name, the server would answer AlreadyExists to the second one, which would be lost
// (kubernetes#95903).
//
// It is safe for concurrent use.
type uniqueClock struct {
	clock.PassiveClock

	// mu guards last.
	mu   sync.Mutex
	last time.Time
}

// Now returns the time of the underlying clock, or one nanosecond after the last returned time if
// that is later.
func (c *uniqueClock) Now() time.Time {
	now := c.PassiveClock.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.After(c.last) {
		now = c.last.Add(time.Nanosecond)
	}
	c.last = now
	return now
}
