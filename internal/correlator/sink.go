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

// sink is one destination of a broadcaster, with the client-go correlator that decides what to
// write to it.
type sink struct {
	// client sends the requests.
	client apiclient.CoreWriter
	// spans is true if the options contain a KeyFunc. Such a function may make the correlator count
	// occurrences about several objects as one Event.
	spans bool

	// asking serializes all calls of correlator, because the functions in its options are the
	// user's code, which client-go never calls concurrently.
	asking     sync.Mutex
	correlator *record.EventCorrelator
}

// Attach adds a sink. Every later occurrence is written to it, too. As in client-go, each sink has
// its own correlator. After a call of stop the sink gets no new occurrences, but the pending ones
// are still written to it. Attach returns an error if to is nil.
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

// keyOf returns the key of the queue in which o waits. The occurrences of a queue are written in
// order. So if the correlator may count two occurrences together, they must have the same key.
//
// By default the correlator counts only occurrences about the same object together. The key then
// contains the fields by which client-go's spam filter distinguishes sources and objects, except
// the type and the API version. So occurrences that the filter counts together are in one queue.
// With a KeyFunc the key is only the namespace.
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

// write is what the correlator wants to be written for one occurrence: a request to one sink.
type write struct {
	series.Write
	sink *sink
	// event is the Event to send, with the name and the count that the correlator has chosen.
	event *corev1.Event
}

// correlate asks the correlator about o and returns the write to send. If there is nothing to send,
// it returns the reason why o is dropped, and an error if the correlator or a function in its
// options has failed.
//
// The correlator counts o with each call, so correlate must be called only once for each
// occurrence.
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
	// client-go leaves these fields empty in an Event that aggregates several others.
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

// Create implements [series.Sink]. It sends the Event that the correlator has made. It ignores its
// argument, which is the Event as the broadcaster logs it.
func (w *write) Create(ctx context.Context, _ *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, w.learn(w.sink.client.Create(ctx, w.event))
}

// Patch implements [series.Sink]. Like Create it ignores the Event that it is given.
func (w *write) Patch(ctx context.Context, _ *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return nil, w.learn(w.sink.client.Patch(ctx, w.event, patch))
}

// learn passes the stored Event to the correlator, which takes the name, the count and the
// resourceVersion for its next patch from it. learn returns err. stored may be nil even if the
// write succeeded, because a caller's sink need not return the Event.
func (w *write) learn(stored *corev1.Event, err error) error {
	if err == nil && stored != nil {
		w.sink.correlator.UpdateState(stored)
	}
	return err
}

// CoreEvent returns the Event that client-go's package record would make of an occurrence. Its
// eventTime is empty. Otherwise the API server would apply the strict validation of events.k8s.io,
// and would refuse some Events that are valid in core/v1.
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
// ends in the nanoseconds at which the correlator made it. If two aggregate Events had the same
// name because of a coarse clock, the server would answer the second Create with AlreadyExists, and
// that Event would be lost (kubernetes#95903).
//
// A uniqueClock is safe for concurrent use.
type uniqueClock struct {
	clock.PassiveClock

	// mu guards last.
	mu   sync.Mutex
	last time.Time
}

// Now returns the time of the underlying clock. If that is not later than the last returned time,
// Now returns one nanosecond after the last returned time.
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
