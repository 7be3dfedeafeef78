// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/utils/lru"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/account"
	"github.com/eventseries/eventseries/internal/writer"
)

// router is the sink that chooses a sink, anew for each write.
type router struct {
	config     *config
	sinks      map[API]events.Sink
	support    *support
	namespaces *namespaces
	refusals   *lru.Cache // by event: how often it was refused although RBAC allows it
}

// maxRefusals is how often an event may be refused in a namespace where RBAC
// allows it: the first may be RBAC that was just mended and has not reached
// every API server; the third is an admission plugin's last word.
const maxRefusals = 3

// refusalsKept bounds the memory for events on their way to it.
const refusalsKept = 1024

func newRouter(prober *discovery.Prober, c *config, sinks map[API]events.Sink) *router {
	return &router{
		config: c, sinks: sinks,
		support:    newSupport(prober, c),
		namespaces: newNamespaces(prober.Access, c),
		refusals:   lru.New(refusalsKept),
	}
}

// write is one request through the sink it is given.
type write func(events.Sink) (*eventsv1.Event, error)

// Create implements [events.Sink].
func (r *router) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return r.route(ctx, e, func(s events.Sink) (*eventsv1.Event, error) { return s.Create(ctx, e) })
}

// Patch implements [events.Sink].
func (r *router) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return r.route(ctx, e, func(s events.Sink) (*eventsv1.Event, error) { return s.Patch(ctx, e, patch) })
}

func (r *router) route(ctx context.Context, e *eventsv1.Event, do write) (*eventsv1.Event, error) {
	api := r.choose(ctx, e.Namespace)
	stored, err := do(r.sinks[api])
	switch writer.Classify(err).Action {
	case writer.Unsupported:
		return r.unsupported(ctx, api, err, do)
	case writer.Forbidden:
		return r.forbidden(ctx, e, api, err, do)
	case writer.Settle:
		r.namespaces.written(e.Namespace, api)
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
func (r *router) unsupported(ctx context.Context, api API, err error, do write) (*eventsv1.Event, error) {
	if r.config.mode != Auto || api != EventsV1 {
		return nil, err
	}
	switch r.support.recheck(ctx) {
	case discovery.NotServed:
		return do(r.sinks[CoreV1])
	case discovery.Served:
		return nil, override(err, writer.Verdict{Action: writer.Retry, Gate: writer.Server})
	default:
		return nil, err
	}
}

// forbidden acts on a 403 without a cause: RBAC, or an admission plugin.
func (r *router) forbidden(
	ctx context.Context, e *eventsv1.Event, api API, err error, do write,
) (*eventsv1.Event, error) {
	served := r.support.current() != discovery.NotServed
	step := r.namespaces.refused(ctx, e.Namespace, api, served && r.config.mode == Auto, err)
	switch step {
	case retryAllowed:
		return nil, r.countRefusal(e, err)
	case tryCore:
		stored, coreErr := do(r.sinks[CoreV1])
		if r.namespaces.tried(e.Namespace, coreErr) {
			return stored, coreErr
		}
	case useCore, useEventsV1:
		other := CoreV1
		if step == useEventsV1 {
			other = EventsV1
		}
		stored, err := do(r.sinks[other])
		if writer.Classify(err).Action != writer.Forbidden {
			return stored, err
		}
	}
	return nil, override(err, writer.Verdict{Action: writer.Forbidden, Gate: writer.Namespace})
}

// countRefusal retries an event that RBAC allows and something else refuses, and
// drops it at the third refusal.
func (r *router) countRefusal(e *eventsv1.Event, err error) error {
	key := e.Namespace + "/" + e.Name
	times := 1
	if before, ok := r.refusals.Get(key); ok {
		times += before.(int)
	}
	if times < maxRefusals {
		r.refusals.Add(key, times)
		return override(err, writer.Verdict{Action: writer.Forbidden, Gate: writer.Namespace})
	}
	r.refusals.Remove(key)
	return override(err, writer.Verdict{Action: writer.Drop, Reason: account.Rejected})
}

func override(err error, v writer.Verdict) error { return &writer.Override{Verdict: v, Err: err} }
