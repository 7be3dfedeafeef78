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

// sink is where a broadcaster writes to, and what client-go's correlator knows of it.
type sink struct {
	client apiclient.CoreWriter
	spans  bool // a KeyFunc of the caller may count several objects as one Event

	asking     sync.Mutex // functions of the caller may rely on one caller at a time, as in client-go
	correlator *record.EventCorrelator
}

// Attach adds a sink, which has a correlator of its own as in client-go. The function that
// it returns lets the sink accept nothing more.
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

// keyOf returns whose occurrences must stay in order: what client-go's spam filter goes by,
// without type and version. Everything that the correlator counts as one by default is of one object.
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

// write is what the correlator said about an occurrence, and where that is sent to.
type write struct {
	series.Write
	sink  *sink
	event *corev1.Event
}

// correlate returns what to send for o, or why it is dropped.
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
	// client-go leaves these fields out of an aggregate event.
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
		e.ResourceVersion = "" // the server refuses one on creation
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

// Create implements [series.Sink]. It sends the event as the correlator made it, and not the view of it that the
// broadcaster logs.
func (w *write) Create(ctx context.Context, _ *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, w.learn(w.sink.client.Create(ctx, w.event))
}

// Patch implements [series.Sink], as Create does.
func (w *write) Patch(ctx context.Context, _ *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return nil, w.learn(w.sink.client.Patch(ctx, w.event, patch))
}

// learn tells the correlator what the server has. A sink of the caller may answer nothing.
func (w *write) learn(stored *corev1.Event, err error) error {
	if err == nil && stored != nil {
		w.sink.correlator.UpdateState(stored)
	}
	return err
}

// CoreEvent returns what the old recorder makes of an occurrence. eventTime stays empty: with
// it the server applies the strict rules of events.k8s.io to core/v1 as well, and would
// refuse what the old API takes.
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

// uniqueClock never returns the same time twice. The names of aggregate events end in the
// nanoseconds at which the correlator made them. On a coarse clock two of them would share a
// name, the server would answer AlreadyExists, and the second would be lost
// (kubernetes#95903).
type uniqueClock struct {
	clock.PassiveClock

	mu   sync.Mutex // guards last
	last time.Time
}

// Now returns a time after all that it returned before.
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
