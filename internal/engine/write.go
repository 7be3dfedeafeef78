// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// attempt sends the next write of item, and passes the answer to item.Settle. It returns the
// verdict on the answer, and the class of the write that item needs next. If there is nothing to
// write, it sends nothing and returns the action Skip.
//
// paced is the client's rate limiter if the writer has already waited for it on behalf of this
// write. Otherwise it is the zero Limiter.
func (e *Engine) attempt(
	ctx context.Context, item series.Item, paced request.Limiter,
) (request.Verdict, request.Class) {
	w, effects := item.Begin(e.config.Clock.Now())
	e.apply(effects, nil)
	if w == nil {
		return request.Verdict{Action: request.Skip}, request.NoWrite
	}
	w.Paced = paced
	answered := false
	defer func() {
		// The sink has ended the goroutine by calling runtime.Goexit, as testing.T.FailNow does. It
		// is unknown whether the write was stored, so the writer tries again.
		if !answered {
			e.log.Goexit("sink")
			_, effects := item.Settle(w, request.NoAnswer, nil, e.config.Clock.Now())
			e.apply(effects, nil)
		}
	}()
	stored, err := e.send(ctx, w)
	answered = true
	if !w.Limiter.None() {
		e.writer.PaceBy(w.Limiter)
	}
	v := request.Classify(w.Request, err)
	e.log.Answered(v)
	if v.Action != request.Stored && !errors.Is(ctx.Err(), context.Canceled) {
		v.Error = usercode.Shorten(usercode.Sprintf("%v", err), maxErrorText)
		e.log.Call("sink's error", func() { e.logFailure(w, v, err) })
	}
	// Log before Settle, so that the number in the log line includes the occurrences of this write.
	if v.Action == request.Stored && !v.Unanswered {
		namespace := w.Event.Namespace
		e.log.Allowed(namespace, w.Op, func() int64 { return e.pendingIn(namespace) })
	}
	next, effects := item.Settle(w, v, stored, e.config.Clock.Now())
	// Settle has dropped the occurrences, because the server has refused their Event too often. So
	// log the answer as the cause of a drop.
	if v.Hold && len(effects.Dropped) > 0 {
		v.Action = request.Drop
		v.Gate = request.Open
		v.Hold = false
		e.log.Call("sink's error", func() { e.logFailure(w, v, err) })
	}
	e.apply(effects, err)
	return v, next
}

// send sends w to its sink, and returns the answer. If the sink panics, send returns the panic as
// an error. The caller must not hold a lock.
func (e *Engine) send(ctx context.Context, w *series.Write) (*eventsv1.Event, error) {
	sink := e.config.Sink
	if w.To != nil {
		sink = w.To
	}
	var stored *eventsv1.Event
	var err error
	answered := e.reported(w)
	sinkCtx := request.WithInfo(ctx, &w.Info)
	panicked := usercode.Call(func() {
		if w.Op == request.Patch {
			stored, err = sink.Patch(sinkCtx, w.Event, w.Patch)
		} else {
			stored, err = sink.Create(sinkCtx, w.Event)
		}
	})
	// It is unknown whether the sink stored the Event before it panicked.
	if panicked != nil {
		stored = nil
		err = panicked
	}
	answered(err)
	return stored, err
}

// reportDropped logs drops, and passes them to the drop handler. answer is the error to report for
// drops that have no error of their own.
func (e *Engine) reportDropped(dropped []series.Dropped, answer error) {
	for _, d := range dropped {
		first, err := d.First(), answer
		if d.Err != nil {
			err = d.Err
		}
		e.dropped(*e.config.Logger, &first, d.Reason, d.Occurrences, err)
	}
}

// dropped passes a drop to the drop handler. For some values of reason, it also logs the drop. For
// the other values, the code that found the cause has logged the drop, or the drop is intended and
// needs no log line.
func (e *Engine) dropped(
	logger klog.Logger, o *series.Occurrence, reason stats.Reason, occurrences int64, err error,
) {
	switch reason {
	case stats.Stopped:
		e.log.Late(logger, o.Reason)
	case stats.CacheFull:
		e.log.Do(reason.String(), "", timing.LogEvery, func() {
			logger.Error(nil, "Event dropped: the series cache is full; find the code that makes so many different "+
				"Events, raise the client's rate limit, or raise WithMaxSeries", "advice", "cache-full",
				"maxSeries", e.config.MaxSeries, "reason", o.Reason)
		})
	case stats.TooOld, stats.QueueFull:
		e.log.Do(reason.String(), "", timing.LogEvery, func() {
			logger.Error(err, "Events dropped", "advice", "dropped",
				"cause", reason.String(), "occurrences", occurrences,
				"object", klog.KRef(o.Regarding.Namespace, o.Regarding.Name), "reason", o.Reason)
		})
	}
	if handler := e.config.OnDrop; handler != nil {
		d := Drop{
			Reason:      reason,
			Type:        o.Type,
			EventReason: o.Reason,
			Regarding:   o.Regarding.ObjectReference(),
			Occurrences: occurrences,
			Err:         err,
		}
		e.log.Call("drop handler", func() { handler(d) })
	}
}

// Request describes a request that was answered. Package events converts it to an events.Request,
// which documents the fields.
type Request struct {
	Operation string
	API       string
	Code      int
	Duration  time.Duration
	Attempt   int
}

// OnRequest calls handle after each request, in the goroutine of the write, until stop is called.
// If handle panics, the panic is logged.
func (e *Engine) OnRequest(handle func(Request)) (stop func()) { return e.requests.Add(handle) }

// reported tells the handlers of OnRequest about the requests that are sent for w. It sets w.Made,
// which the clients of the SDK call for each of their requests. If the sink does not call w.Made,
// the returned function reports the whole call of the sink as one request. The caller must pass the
// sink's error to that function.
func (e *Engine) reported(w *series.Write) (answered func(err error)) {
	w.Made = nil
	if !e.requests.Any() {
		return func(error) {}
	}
	var made atomic.Bool
	began := time.Now()
	w.Made = func(api string, op request.Op, took time.Duration, err error) {
		made.Store(true)
		e.requests.Call(Request{
			Operation: op.String(),
			API:       api,
			Code:      request.Code(op, err),
			Duration:  took,
			Attempt:   w.Attempt,
		})
	}
	return func(err error) {
		if !made.Load() {
			w.Made("", w.Op, time.Since(began), err)
		}
	}
}
