// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"fmt"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/lru"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// router is the sink that chooses a sink, anew for each write.
type router struct {
	config     *config
	sinks      map[API]events.Sink
	support    *support
	namespaces *namespaces
	refusals   *lru.Cache // by event
}

// refusals counts how often in a row an event was refused although RBAC allows it.
type refusals struct {
	api   API
	times int
	began time.Time // when the first was
	since uint64    // the moment of the first
}

// How often in a row, and for how long, an event is refused in a namespace where
// RBAC allows it before that counts as an admission plugin's last word. It takes
// both: a webhook that starts ("not yet ready to handle request") and RBAC that has
// not reached every API server refuse many times in a few seconds, and then no more.
const (
	maxRefusals = 3
	refusedFor  = time.Minute
)

// refusalsKept bounds the memory for events on their way to it: 4 MiB, while a
// webhook refuses that many different ones.
const refusalsKept = 16384

func newRouter(prober *discovery.Prober, c *config, sinks map[API]events.Sink) *router {
	return &router{
		config: c, sinks: sinks,
		support:    newSupport(prober, c),
		namespaces: newNamespaces(prober, c),
		refusals:   lru.New(refusalsKept),
	}
}

// verb is what RBAC knows a write as; a set of them is their sum.
type verb uint8

const (
	create verb = 1 << iota
	patch
)

// write is one request, to be made through whichever sink.
type write struct {
	event *eventsv1.Event
	verb  verb
	sent  uint64 // the moment when it last was
	send  func(events.Sink) (*eventsv1.Event, error)
}

func (w *write) namespace() string { return w.event.Namespace }

// Create implements [events.Sink].
func (r *router) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	send := func(s events.Sink) (*eventsv1.Event, error) { return s.Create(ctx, e) }
	return r.route(ctx, &write{event: e, verb: create, send: send})
}

// Patch implements [events.Sink].
func (r *router) Patch(ctx context.Context, e *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	send := func(s events.Sink) (*eventsv1.Event, error) { return s.Patch(ctx, e, data) }
	return r.route(ctx, &write{event: e, verb: patch, send: send})
}

func (r *router) route(ctx context.Context, w *write) (*eventsv1.Event, error) {
	api := r.choose(ctx, w.namespace())
	w.sent = r.namespaces.now()
	stored, err := w.send(r.sinks[api])
	switch request.Classify(request.Request{}, err).Action {
	case request.Unsupported:
		return r.unsupported(ctx, w, api, err)
	case request.Forbidden:
		return r.forbidden(ctx, w, api, err)
	case request.Stored:
		r.namespaces.written(w, api)
		r.forgetRefusals(w.event)
	}
	return stored, err
}

// choose picks the API for a namespace by what is known, and finds out whether
// a namespace that was refused may by now be written as all others.
func (r *router) choose(ctx context.Context, namespace string) API {
	switch {
	case r.config.mode == EventsV1:
		return EventsV1
	case r.config.mode != Auto, r.support.current() == discovery.NotServed:
		return CoreV1
	case r.namespaces.viaCore(ctx, namespace):
		return CoreV1
	default:
		return EventsV1
	}
}

// unsupported finds out whether the API is really gone, and if so writes at once
// through the other one. If it is there, two API servers differ (an upgrade under
// way) or a proxy is in between: that passes.
func (r *router) unsupported(ctx context.Context, w *write, api API, err error) (*eventsv1.Event, error) {
	switch {
	case api != EventsV1:
		return nil, err
	case r.config.mode != Auto:
		return nil, fmt.Errorf("adapter: WithMode or %s allows events.k8s.io/v1 only, unset it: %w", Environment, err)
	}
	switch r.support.recheck(ctx) {
	case discovery.NotServed:
		return r.route(ctx, w) // which chooses core/v1 now
	case discovery.Served:
		return nil, override(err, request.Verdict{Action: request.Retry, Gate: request.Server})
	default:
		return nil, override(err, request.Classify(request.Request{}, err))
	}
}

// forbidden acts on a 403 without a cause: RBAC, or an admission plugin.
func (r *router) forbidden(ctx context.Context, w *write, api API, err error) (*eventsv1.Event, error) {
	first := refusals{api: api, began: r.config.clock.Now(), since: r.namespaces.now()}
	if r.config.mode == Auto && api == EventsV1 && r.support.current() == discovery.Unknown &&
		r.support.recheck(ctx) == discovery.NotServed {
		// RBAC answers before anybody looks whether the API is there.
		return r.route(ctx, w)
	}
	maySwitch := r.config.mode == Auto && r.support.current() != discovery.NotServed
	todo := r.namespaces.refused(ctx, w, api, maySwitch, err)
	if todo == retryAllowed {
		return nil, r.countRefusal(w, first, err)
	}
	r.forgetRefusals(w.event)
	switch todo {
	case useOther:
		return r.route(ctx, w) // which chooses the other one now
	case tryOther:
		// Asked before, as nothing should come between an answer and its being booked.
		user := r.namespaces.identify(ctx)
		stored, otherErr := w.send(r.sinks[api.other()])
		if r.namespaces.tried(w, api.other(), err, otherErr, user) {
			return stored, otherErr
		}
	}
	r.namespaces.keep(ctx, w, err)
	return nil, override(err, request.Verdict{Action: request.Forbidden, Gate: request.Namespace})
}

// countRefusal retries an event that RBAC allows and something else refuses, and
// drops it when that has lasted. What RBAC allowed before the first refusal it may
// have stopped to allow. The count is kept: when the dropped series is tried again,
// one more refusal is enough.
func (r *router) countRefusal(w *write, seen refusals, err error) error {
	key, now := refusalKey(w.event), seen.began
	if before, ok := r.refusals.Get(key); ok && before.(refusals).api == seen.api {
		seen = before.(refusals)
	}
	if seen.times++; now.Before(seen.began) {
		seen.began = now // the clock was set back
	}
	r.refusals.Add(key, seen)
	if seen.times < maxRefusals || now.Sub(seen.began) < refusedFor ||
		!r.namespaces.proven(w.namespace(), grant{seen.api, w.verb}, seen.since) {
		return override(err, request.Verdict{Action: request.Forbidden, Gate: request.Namespace, Hold: true})
	}
	return override(err, request.Verdict{Action: request.Drop, Reason: stats.Rejected})
}

func (r *router) forgetRefusals(e *eventsv1.Event) {
	if r.refusals.Len() > 0 {
		r.refusals.Remove(refusalKey(e))
	}
}

func refusalKey(e *eventsv1.Event) types.NamespacedName {
	return types.NamespacedName{Namespace: e.Namespace, Name: e.Name}
}

func override(err error, v request.Verdict) error { return &request.Override{Verdict: v, Err: err} }
