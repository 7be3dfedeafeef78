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
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// router is the sink of the series broadcaster. It chooses the API for each write.
type router struct {
	config      *config
	sinks       map[API]events.Sink // nil until the adapter has a client
	support     *support
	permissions *permissions
	requests    *broadcast.Handlers[events.Request]
	refusals    *lru.Cache // types.NamespacedName of an Event → refusals
}

func newRouter(c *config) *router {
	return &router{
		config:      c,
		support:     newSupport(c),
		permissions: newPermissions(c),
		requests:    broadcast.NewHandlers[events.Request]("request handler", broadcast.NewLog(*c.logger, c.clock)),
		refusals:    lru.New(maxRefusedEvents),
	}
}

// attach sets where to write, and whom to ask about it. It must be called once, before
// the first write.
func (r *router) attach(prober *discovery.Prober, sinks map[API]events.Sink) {
	r.sinks = sinks
	r.support.prober, r.permissions.prober = prober, prober
}

// verb is an RBAC verb, or a set of them.
type verb uint8

const (
	create verb = 1 << iota
	patch
)

// write is one request, which any sink can send.
type write struct {
	event    *eventsv1.Event
	verb     verb
	sequence uint64 // of the last attempt
	send     func(events.Sink) (*eventsv1.Event, error)
}

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
	api := r.choose(ctx, w.event.Namespace)
	w.sequence = r.permissions.nextSequence()
	stored, err := r.send(ctx, w, api)
	switch request.Classify(request.Request{}, err).Action {
	case request.Unsupported:
		return r.onUnsupported(ctx, w, api, err)
	case request.Forbidden:
		return r.onForbidden(ctx, w, api, err)
	case request.Stored:
		r.permissions.onStored(w, api)
		r.forgetRefusals(w.event)
	}
	return stored, err
}

// send makes one request.
func (r *router) send(ctx context.Context, w *write, api API) (*eventsv1.Event, error) {
	if !r.requests.Any() {
		return w.send(r.sinks[api])
	}
	began := time.Now()
	stored, err := w.send(r.sinks[api])
	op, attempt := request.Create, 0
	if w.verb == patch {
		op = request.Patch
	}
	if info := request.InfoFrom(ctx); info != nil {
		attempt = info.Attempt
	}
	r.requests.Call(events.Request{
		Operation: op.String(), API: api.groupVersion(), Code: request.Code(op, err),
		Duration: time.Since(began), Attempt: attempt,
	})
	return stored, err
}

// choose returns the API for a write in namespace.
func (r *router) choose(ctx context.Context, namespace string) API {
	switch {
	case r.config.mode == EventsV1:
		return EventsV1
	case r.config.mode != Auto, r.support.current() == discovery.NotServed,
		r.permissions.usesCore(ctx, namespace):
		return CoreV1
	default:
		return EventsV1
	}
}

// onUnsupported asks discovery whether the API is gone. If so, it sends w through
// the other one. If not, API servers differ during an upgrade, or a proxy answered,
// and a retry will succeed.
func (r *router) onUnsupported(ctx context.Context, w *write, api API, err error) (*eventsv1.Event, error) {
	switch {
	case api != EventsV1:
		return nil, err
	case r.config.mode != Auto:
		return nil, fmt.Errorf("adapter: WithMode or %s allows events.k8s.io/v1 only, unset it: %w", Environment, err)
	}
	switch r.support.recheck(ctx) {
	case discovery.NotServed:
		return r.route(ctx, w) // through core/v1
	case discovery.Served:
		return nil, override(err, request.Verdict{Action: request.Retry, Gate: request.Server})
	default:
		return nil, override(err, request.Classify(request.Request{}, err))
	}
}

// onForbidden handles a 403 of RBAC or of admission, which look the same.
func (r *router) onForbidden(ctx context.Context, w *write, api API, err error) (*eventsv1.Event, error) {
	first := refusals{api: api, since: r.config.clock.Now(), sequence: r.permissions.nextSequence()}
	// The API server authorizes a request before it looks whether the API exists.
	if r.config.mode == Auto && api == EventsV1 && r.support.current() == discovery.Unknown &&
		r.support.recheck(ctx) == discovery.NotServed {
		return r.route(ctx, w) // through core/v1
	}
	maySwitch := r.config.mode == Auto && r.support.current() != discovery.NotServed
	step := r.permissions.onRefused(ctx, w, api, maySwitch, err)
	if step == retrySame {
		return nil, r.countRefusal(w, first, err)
	}
	r.forgetRefusals(w.event)
	switch step {
	case switchToOther:
		return r.route(ctx, w) // through the other API
	case tryOther:
		// Asked first, so that nothing comes between the answer and its handling.
		user := r.permissions.username(ctx)
		stored, otherErr := r.send(ctx, w, api.other())
		if r.permissions.onTried(w, api.other(), err, otherErr, user) {
			return stored, otherErr
		}
	}
	r.permissions.logKept(ctx, w.event.Namespace, err)
	return nil, override(err, request.Verdict{Action: request.Forbidden, Gate: request.Namespace})
}

// refusals counts the consecutive refusals of one Event that RBAC allows.
type refusals struct {
	api      API
	count    int
	since    time.Time // the first refusal
	sequence uint64    // of the first refusal
}

// An Event is dropped after maxRefusals consecutive refusals, over refusalTime at
// least. It takes both: a webhook that starts ("not yet ready to handle request"),
// and RBAC that has not reached every API server, refuse many times in a few
// seconds, and then no more.
const (
	maxRefusals = 3
	refusalTime = time.Minute
	// maxRefusedEvents bounds the memory of refusals to about 4 MiB.
	maxRefusedEvents = 16384
)

// countRefusal returns a verdict on a write that RBAC allows and something else
// refuses. It drops the Event only if RBAC is known to have allowed it after the
// first refusal. The count is kept: when the dropped series is tried again, one more
// refusal is enough.
func (r *router) countRefusal(w *write, seen refusals, err error) error {
	key, now := eventName(w.event), seen.since
	if before, ok := r.refusals.Get(key); ok && before.(refusals).api == seen.api {
		seen = before.(refusals)
	}
	if seen.count++; now.Before(seen.since) {
		seen.since = now // the clock was set back
	}
	r.refusals.Add(key, seen)
	if seen.count < maxRefusals || now.Sub(seen.since) < refusalTime ||
		!r.permissions.allowedSince(w.event.Namespace, grant{seen.api, w.verb}, seen.sequence) {
		return override(err, request.Verdict{Action: request.Forbidden, Gate: request.Namespace, Hold: true})
	}
	return override(err, request.Verdict{Action: request.Drop, Reason: stats.Rejected})
}

func (r *router) forgetRefusals(e *eventsv1.Event) {
	if r.refusals.Len() > 0 {
		r.refusals.Remove(eventName(e))
	}
}

func eventName(e *eventsv1.Event) types.NamespacedName {
	return types.NamespacedName{Namespace: e.Namespace, Name: e.Name}
}

func override(err error, v request.Verdict) error { return &request.Override{Verdict: v, Err: err} }
