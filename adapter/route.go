// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

// router is the sink of the series broadcaster. It chooses the API for each write.
type router struct {
	config      *config
	sinks       map[Mode]events.Sink // nil until the adapter has a client
	support     *support
	permissions *permissions
}

func newRouter(c *config) *router {
	return &router{
		config:      c,
		support:     newSupport(c),
		permissions: newPermissions(c),
	}
}

// attach sets where to write, and whom to ask about it. It must be called once, before
// the first write.
func (r *router) attach(prober *discovery.Prober, sinks map[Mode]events.Sink) {
	r.sinks = sinks
	r.support.prober = prober
	r.permissions.prober = prober
	r.support.fix(discovery.Unknown)
}

// write is one request, which any sink can send.
type write struct {
	event *eventsv1.Event
	op    request.Op
	send  func(events.Sink) (*eventsv1.Event, error)
}

// Create implements [events.Sink].
func (r *router) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	send := func(s events.Sink) (*eventsv1.Event, error) { return s.Create(ctx, e) }
	return r.route(ctx, &write{
		event: e,
		op:    request.Create,
		send:  send,
	})
}

// Patch implements [events.Sink].
func (r *router) Patch(ctx context.Context, e *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	send := func(s events.Sink) (*eventsv1.Event, error) { return s.Patch(ctx, e, data) }
	return r.route(ctx, &write{
		event: e,
		op:    request.Patch,
		send:  send,
	})
}

func (r *router) route(ctx context.Context, w *write) (*eventsv1.Event, error) {
	api, tries := r.permissions.choose(w, r.usual())
	stored, v, err := w.sendTo(r.sinks[api])
	if tries && v.Action == request.Forbidden {
		api = ModeCoreV1
		stored, v, err = w.sendTo(r.sinks[api])
	}
	// A refusal may be about an API that is not there: the server authorizes a request before it
	// looks whether the API exists.
	doubtful := v.Action == request.Unsupported ||
		v.Action == request.Forbidden && r.support.current() == discovery.Unknown
	if doubtful && api == ModeEventsV1 && r.config.mode == ModeAuto {
		r.support.probe(ctx, timing.ProbeEvery)
		if !r.mayChoose() {
			return r.route(ctx, w) // through core/v1
		}
	}
	switch v.Action {
	case request.Unsupported:
		return nil, r.unsupported(api, err)
	case request.Forbidden:
		return r.onForbidden(ctx, w, api, err)
	case request.Stored:
		r.permissions.onStored(w, api)
	}
	return stored, err
}

// sendTo sends w through a sink. The error has the verdict, so that nobody classifies the answer again.
func (w *write) sendTo(s events.Sink) (*eventsv1.Event, request.Verdict, error) {
	stored, err := w.send(s)
	v, err := request.ClassifyOnce(err)
	return stored, v, err
}

// usual returns the API of the namespaces where nothing is refused.
func (r *router) usual() Mode {
	if r.mayChoose() || r.config.mode == ModeEventsV1 {
		return ModeEventsV1
	}
	return ModeCoreV1
}

// mayChoose reports whether there are two APIs to choose from.
func (r *router) mayChoose() bool {
	return r.config.mode == ModeAuto && r.support.current() != discovery.NotServed
}

// unsupported returns the error for a write to an API that is not there. In ModeAuto
// API servers differ during an upgrade, or a proxy answered, and a retry will succeed.
func (r *router) unsupported(api Mode, err error) error {
	if api != ModeEventsV1 || r.config.mode != ModeAuto {
		return err
	}
	v := request.Verdict{Action: request.Retry, Gate: request.Server}
	if r.support.current() == discovery.Served {
		v.Logged = true
		r.permissions.log.Do("Unsupported", "", timing.LogEvery, func() {
			r.config.Logger.Info("Discovery lists events.k8s.io/v1, but the answer to a write says it is not served; "+
				"retrying. This is normal during an upgrade; otherwise check the proxies", "advice", "api-unstable")
		})
	}
	return withVerdict(err, v)
}

// onForbidden handles a 403 of RBAC or of admission, which have the same verdict.
func (r *router) onForbidden(ctx context.Context, w *write, api Mode, err error) (*eventsv1.Event, error) {
	ns := r.permissions.review(ctx, w, api, err)
	switch used, other := api.permission(ns.Access), api.other().permission(ns.Access); {
	case used == discovery.Allowed:
		// Admission refuses, or RBAC was granted just now.
		return nil, withVerdict(err, request.Verdict{
			Action: request.Forbidden,
			Gate:   request.Namespace,
			Hold:   true,
			Reason: stats.Rejected,
		})
	case !r.mayChoose(), other == discovery.Denied:
	case other == discovery.Allowed:
		r.permissions.move(w, api.other(), err)
		return r.route(ctx, w)
	default:
		// Nothing is known about the other API: the write finds out.
		stored, v, otherErr := w.sendTo(r.sinks[api.other()])
		switch v.Action {
		case request.Forbidden, request.Unsupported:
			// Neither API takes the write, so it waits.
		case request.Retry:
			// A server that cannot be reached does not tell whether the other API is allowed.
			return stored, otherErr
		default:
			r.permissions.move(w, api.other(), err)
			return stored, otherErr
		}
	}
	r.permissions.logKept(w, &ns)
	return nil, withVerdict(err, request.Verdict{
		Action: request.Forbidden,
		Gate:   request.Namespace,
		Logged: true,
	})
}

// withVerdict returns err with a verdict of the adapter's own.
func withVerdict(err error, v request.Verdict) error { return &request.Answer{Verdict: v, Err: err} }
