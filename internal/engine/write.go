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

// attempt does one write of s: begin, send, classify, settle. It returns what the
// writer must know of the answer, and what s needs next.
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
		// The sink has ended the goroutine, as testing.T.FailNow does. The writer does the write again.
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
	// This comes before Settle, because this Event has waited, too.
	if v.Action == request.Stored && !v.Unanswered {
		namespace := w.Event.Namespace
		e.log.Allowed(namespace, w.Op, func() int64 { return e.pendingIn(namespace) })
	}
	next, effects := item.Settle(w, v, stored, e.config.Clock.Now())
	// It was held long enough.
	if v.Hold && len(effects.Dropped) > 0 {
		v.Action = request.Drop
		v.Gate = request.Open
		v.Hold = false
		e.log.Call("sink's error", func() { e.logFailure(w, v, err) })
	}
	e.apply(effects, err)
	return v, next
}

// send makes one request. No lock is held.
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
	// It is unknown how far a sink came that panicked, so this is no answer.
	if panicked != nil {
		stored = nil
		err = panicked
	}
	answered(err)
	return stored, err
}

// reportDropped reports what was dropped of series. answer is the answer that led to it.
func (e *Engine) reportDropped(dropped []series.Dropped, answer error) {
	for _, d := range dropped {
		first, err := d.First(), answer
		if d.Err != nil {
			err = d.Err
		}
		e.dropped(*e.config.Logger, &first, d.Reason, d.Occurrences, err)
	}
}

// dropped logs a drop, unless that was done where its cause is known, or is not worth a
// line, and calls the drop handler.
func (e *Engine) dropped(
	logger klog.Logger, o *series.Occurrence, reason stats.Reason, occurrences int64, err error,
) {
	switch reason {
	case stats.Stopped:
		e.log.Late(logger, o.Reason)
	case stats.CacheFull:
		e.log.Do(reason.String(), "", timing.LogEvery, func() {
			logger.Error(nil, "Event dropped: the series cache is full; raise WithMaxSeries, "+
				"or find the code that makes so many different Events", "advice", "cache-full",
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

// Request is events.Request.
type Request struct {
	Operation string
	API       string
	Code      int
	Duration  time.Duration
	Attempt   int
}

// OnRequest calls handle after each request, from now until stop is called.
func (e *Engine) OnRequest(handle func(Request)) (stop func()) { return e.requests.Add(handle) }

// reported makes send report the requests for w: those that clients of the SDK make, or else
// the call of the sink as one. The result must be called with the sink's answer.
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
