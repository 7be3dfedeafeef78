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

// router is the sink that an adapter's engine writes series to. For each write it chooses the API,
// either ModeEventsV1 or ModeCoreV1.
type router struct {
	config *config
	// sinks contains the sinks for ModeEventsV1 and ModeCoreV1. It is nil until the adapter has a
	// client.
	sinks       map[Mode]events.Sink
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

// attach sets the sinks, and the prober for asking the same server which APIs it serves and what
// RBAC allows. It must be called once, before the first write.
func (r *router) attach(prober *discovery.Prober, sinks map[Mode]events.Sink) {
	r.sinks = sinks
	r.support.prober = prober
	r.permissions.prober = prober
	r.support.fix(discovery.Unknown)
}

// write is one write of an Event that can be sent to any sink.
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

// route sends w through one API, and then through the other one if the first API refuses w or is
// not served. The returned error contains the verdict on the answer, a request.Verdict.
func (r *router) route(ctx context.Context, w *write) (*eventsv1.Event, error) {
	api, tries := r.permissions.choose(w, r.usual())
	stored, v, err := w.sendTo(r.sinks[api])
	if tries && v.Action == request.Forbidden {
		api = ModeCoreV1
		stored, v, err = w.sendTo(r.sinks[api])
	}
	// A refusal can also mean that the server does not serve the API, because the server authorizes
	// a request before it looks whether the API exists. So ask discovery, unless discovery has
	// already answered.
	doubtful := v.Action == request.Unsupported ||
		v.Action == request.Forbidden && r.support.current() == discovery.Unknown
	if doubtful && api == ModeEventsV1 && r.config.mode == ModeAuto {
		r.support.probe(ctx, timing.ProbeEvery)
		if !r.mayChoose() {
			// The server does not serve events.k8s.io/v1, so this sends w through core/v1.
			return r.route(ctx, w)
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

// sendTo sends w to a sink. The returned error contains the verdict, so that the answer need not be
// classified again.
func (w *write) sendTo(s events.Sink) (*eventsv1.Event, request.Verdict, error) {
	stored, err := w.send(s)
	v, err := request.ClassifyOnce(err)
	return stored, v, err
}

// usual returns the API for namespaces that are not exceptions.
func (r *router) usual() Mode {
	if r.mayChoose() || r.config.mode == ModeEventsV1 {
		return ModeEventsV1
	}
	return ModeCoreV1
}

// mayChoose reports whether there are two APIs to choose from: the mode is ModeAuto, and discovery
// has not answered that events.k8s.io/v1 is not served.
func (r *router) mayChoose() bool {
	return r.config.mode == ModeAuto && r.support.current() != discovery.NotServed
}

// unsupported returns the error for a write after the server has answered, with err, that it does
// not serve api. If api is events.k8s.io/v1 in ModeAuto, the error makes the writer retry the
// write: either the answer contradicts discovery, or discovery has not answered yet. Possible
// causes are API servers of two versions during an upgrade, and a proxy that has answered in place
// of the server.
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

// onForbidden handles err, a 403 in answer to w, which was sent through api. A 403 from RBAC looks
// the same as a 403 from admission, so onForbidden asks the server with an access review what RBAC
// allows in the namespace of w:
//
//   - If RBAC allows api, admission has refused w. The engine drops the Event if admission keeps
//     refusing it.
//   - If RBAC allows only the other API, w and the later writes of its namespace go through the
//     other API.
//   - If it is unknown whether RBAC allows the other API, w is sent through the other API to find
//     out.
//   - If RBAC allows neither, or there is no other API to choose, w waits and is retried.
func (r *router) onForbidden(ctx context.Context, w *write, api Mode, err error) (*eventsv1.Event, error) {
	ns := r.permissions.review(ctx, w, api, err)
	switch used, other := api.permission(ns.Access), api.other().permission(ns.Access); {
	case used == discovery.Allowed:
		// Admission has refused w, or RBAC has been granted since.
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
		// No review has told whether the other API is allowed, so this write finds out.
		stored, v, otherErr := w.sendTo(r.sinks[api.other()])
		switch v.Action {
		case request.Forbidden, request.Unsupported:
			// Neither API stores the write, so it waits.
		case request.Retry:
			// The answer does not tell whether the other API is allowed. The server may not be
			// reachable.
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

// withVerdict returns err with the verdict v, which replaces any verdict that err already contains.
func withVerdict(err error, v request.Verdict) error { return &request.Answer{Verdict: v, Err: err} }
