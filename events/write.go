// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// attempt does one write of s: begin, send, classify, settle. It returns what the
// writer must know of the answer, and what s needs next.
func (b *Broadcaster) attempt(
	ctx context.Context, item series.Item, paced request.Limiter,
) (request.Verdict, request.Class) {
	w, effects := item.Begin(b.config.Clock.Now())
	b.apply(effects, nil)
	if w == nil {
		return request.Verdict{Action: request.Skip}, request.NoWrite
	}
	w.Paced = paced
	answered := false
	defer func() {
		if !answered { // the sink has ended the goroutine, as testing.T.FailNow does; the writer does the write again
			b.log.Goexit("sink")
			_, effects := item.Settle(w, request.NoAnswer, nil, b.config.Clock.Now())
			b.apply(effects, nil)
		}
	}()
	stored, err := b.send(ctx, w)
	answered = true
	if !w.Limiter.None() {
		b.writer.PaceBy(w.Limiter)
	}
	v := request.Classify(w.Request, err)
	b.log.Answered(v)
	if v.Action != request.Stored && !errors.Is(ctx.Err(), context.Canceled) {
		v.Error = usercode.Shorten(usercode.Sprintf("%v", err), maxErrorText)
		b.log.Call("sink's error", func() { b.logFailure(w, v, err) })
	}
	if v.Action == request.Stored && !v.Unanswered { // before Settle, because this one has waited, too
		namespace := w.Event.Namespace
		b.log.Allowed(namespace, w.Op, func() int64 { return b.pendingIn(namespace) })
	}
	next, effects := item.Settle(w, v, stored, b.config.Clock.Now())
	if v.Hold && len(effects.Dropped) > 0 { // it was held long enough
		v.Action, v.Gate, v.Hold = request.Drop, request.Open, false
		b.log.Call("sink's error", func() { b.logFailure(w, v, err) })
	}
	b.apply(effects, err)
	return v, next
}

// send makes one request. No lock is held.
func (b *Broadcaster) send(ctx context.Context, w *series.Write) (*eventsv1.Event, error) {
	sink := b.config.Sink
	if w.To != nil {
		sink = w.To
	}
	var stored *eventsv1.Event
	var err error
	answered, sinkCtx := b.reported(w), request.WithInfo(ctx, &w.Info)
	panicked := usercode.Call(func() {
		if w.Op == request.Patch {
			stored, err = sink.Patch(sinkCtx, w.Event, w.Patch)
		} else {
			stored, err = sink.Create(sinkCtx, w.Event)
		}
	})
	if panicked != nil { // it is unknown how far it came: no answer
		stored, err = nil, panicked
	}
	answered(err)
	return stored, err
}

// reportDropped reports what was dropped of series. answer is the answer that led to it.
func (b *Broadcaster) reportDropped(dropped []series.Dropped, answer error) {
	for _, d := range dropped {
		first, err := d.First(), answer
		if d.Err != nil {
			err = d.Err
		}
		b.dropped(*b.config.Logger, &first, d.Reason, d.Occurrences, err)
	}
}

// dropped logs a drop, unless that was done where its cause is known, or is not worth a
// line, and calls the drop handler.
func (b *Broadcaster) dropped(
	logger klog.Logger, o *series.Occurrence, reason stats.Reason, occurrences int64, err error,
) {
	switch reason {
	case stats.Stopped:
		b.log.Late(logger, o.Reason)
	case stats.CacheFull:
		b.log.Do(reason.String(), "", time.Minute, func() {
			logger.Error(nil, "Event dropped: the series cache is full; raise WithMaxSeries, "+
				"or find the code that makes so many different events", "advice", "cache-full",
				"maxSeries", b.config.MaxSeries, "reason", o.Reason)
		})
	case stats.TooOld, stats.QueueFull:
		b.log.Do(reason.String(), "", time.Minute, func() {
			logger.Error(err, "Events dropped", "advice", "dropped",
				"cause", reason.String(), "occurrences", occurrences,
				"object", klog.KRef(o.Regarding.Namespace, o.Regarding.Name), "reason", o.Reason)
		})
	}
	if handler := b.config.OnDrop; handler != nil {
		d := engine.Drop{
			Reason:      reason,
			Type:        o.Type,
			EventReason: o.Reason,
			Regarding:   o.Regarding.ObjectReference(),
			Occurrences: occurrences,
			Err:         err,
		}
		b.log.Call("drop handler", func() { handler(d) })
	}
}

// logFailure logs once what is wrong and what to do about it.
func (b *Broadcaster) logFailure(w *series.Write, v request.Verdict, err error) {
	logger := b.config.Logger.WithValues("event", klog.KRef(w.Event.Namespace, w.Event.Name), "err", err)
	var (
		override *request.Override
		panicked *usercode.Panic
	)
	switch {
	case errors.As(err, &panicked):
		b.log.Panic("sink", panicked)
	case v.Action == request.Drop && v.Reason == stats.Rejected:
		b.log.Do("Rejected", w.Event.Reason, time.Minute, func() {
			logger.Error(nil, "Event dropped: the API server rejects it; fix what err names. "+
				"A repeat is tried again after one to eight minutes", "advice", "rejected",
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case v.Action == request.Drop && apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		// What somebody deletes is no fault. Soon the server will say that there is no such namespace.
		b.log.Silence("NamespaceGone", w.Event.Namespace, broadcast.RemindEvery)
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	case v.Action == request.Drop && v.Reason == stats.NamespaceGone:
		b.log.Do("NamespaceGone", w.Event.Namespace, broadcast.RemindEvery, func() {
			logger.Error(nil, "The namespace does not exist; its Events are dropped. Unless somebody has deleted it, "+
				"create it, or correct the namespace of object", "advice", "no-namespace",
				"namespace", w.Event.Namespace,
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case v.Action == request.Drop, v.Action == request.Recreate, v.Action == request.Resend:
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	case v.Action == request.Forbidden && v.Hold: // the adapter has found that RBAC allows it
		b.log.Do("Refused", w.Event.Reason, broadcast.RemindEvery, func() {
			logger.Info("Event refused, trying again; err says by what", "advice", "rejected",
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case errors.As(err, &override): // the adapter has logged it
	case v.Action == request.Forbidden:
		b.log.Forbidden(w.Event.Namespace, w.Op, func() {
			logger.Error(nil, "RBAC forbids Events in this namespace; they are kept until the permission is granted. "+
				"Add rule to the component's Role", "advice", "rbac-namespace", "namespace", w.Event.Namespace,
				"rule", rule(err))
		})
	case v.Action == request.Unsupported:
		b.log.Do("Unsupported", "", broadcast.RemindEvery, func() {
			logger.Error(nil, "The API server does not serve this events API; Events are kept and retried. "+
				"Use package adapter in mode Auto, which falls back to core/v1", "advice", "api-not-served")
		})
	case v.Gate == request.Server:
		b.log.Outage(v)
	case request.Foreign(err):
		b.log.Do("Foreign", "", time.Minute, func() {
			logger.Info("A proxy or firewall refuses an Event in place of the API server; it is kept and retried",
				"advice", "proxy", "namespace", w.Event.Namespace)
		})
	case v.Gate == request.Shared: // it may be about the server as well
		b.log.Do("Retry", "", time.Minute, func() { logger.Info("Event not written, will retry", "advice", "retry") })
	default:
		b.log.Do("Retry", "", time.Minute, func() {
			logger.Info("Event not written, will retry", "advice", "retry", "namespace", w.Event.Namespace)
		})
	}
}

// maxErrorText bounds what is kept of a sink's error, in bytes.
const maxErrorText = 1000

// rule lets a component do what err refuses. It is YAML that no logger has to escape.
func rule(err error) string {
	group := eventsv1.GroupName
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		if details := status.Status().Details; details != nil && details.Kind == "events" && details.Group == "" {
			group = "''"
		}
	}
	return "{apiGroups: [" + group + "], resources: [events], verbs: [create, patch]}"
}

// Request is one request to the API server, as [Broadcaster.OnRequest] reports it.
type Request struct {
	// Operation is "create" or "patch".
	Operation string
	// API is "events.k8s.io/v1" or "v1". It is empty for a [Sink] that has no client of the SDK.
	API string
	// Code is the HTTP status of the answer. It is 0 if there was none, or if the error of
	// a Sink has none.
	Code int
	// Duration is the time until the answer, with what the client's rate limiter took.
	Duration time.Duration
	// Attempt counts from 1, since the last request for the same Event that succeeded.
	Attempt int
}

// OnRequest calls handle after each request, from now until stop is called. It is called
// by the goroutine that made the request, without a lock, and must not block, because the
// next request waits for it. It must be safe for concurrent use. A panic is logged.
func (b *Broadcaster) OnRequest(handle func(Request)) (stop func()) { return b.requests.Add(handle) }

// Write is what a [Sink] is asked for.
type Write struct {
	// Attempt counts from 1, since the last write of the series that was acknowledged.
	Attempt int
	// Total is the count that the Event gets, with what other processes count in it under
	// [WithContinuity]. Delta is what the write adds to it. The sum of the deltas of all
	// acknowledged writes is [Stats.Recorded]. Delta is 0 if a patch only asks for the
	// resourceVersion.
	Delta, Total int64
}

// WriteFromContext returns the write that a broadcaster asks its [Sink] for. ctx is what
// Create or Patch got; ok is false for the context of any other caller.
func WriteFromContext(ctx context.Context) (w Write, ok bool) {
	info := request.InfoFrom(ctx)
	if info == nil {
		return Write{}, false
	}
	return Write{Attempt: info.Attempt, Delta: info.Delta, Total: info.Total}, true
}

// reported makes send report the requests for w: those that clients of the SDK make, or else
// the call of the sink as one. The result must be called with the sink's answer.
func (b *Broadcaster) reported(w *series.Write) (answered func(err error)) {
	if w.Made = nil; !b.requests.Any() {
		return func(error) {}
	}
	var made atomic.Bool
	began := time.Now()
	w.Made = func(api string, op request.Op, took time.Duration, err error) {
		made.Store(true)
		b.requests.Call(Request{
			Operation: op.String(), API: api, Code: request.Code(op, err), Duration: took, Attempt: w.Attempt,
		})
	}
	return func(err error) {
		if !made.Load() {
			w.Made("", w.Op, time.Since(began), err)
		}
	}
}
