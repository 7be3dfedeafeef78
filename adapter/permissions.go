// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/timing"
)

// permissions tracks what RBAC allows in the namespaces where writes were refused. It learns from the
// answers to writes there, and from reviews: at most one a minute for each namespace. It is unknown what
// is allowed in a namespace without an entry: no write was refused, and all go through the usual API.
type permissions struct {
	config *config
	log    *broadcast.Log
	prober *discovery.Prober

	// mu guards the rest. No request is sent, and no code of others runs, under it.
	mu         sync.Mutex
	namespaces map[string]*namespace
	// lastTried is when any exception last tried events.k8s.io/v1, or was made one.
	lastTried time.Time
	// tries counts these tries since the last one that was stored.
	tries int
}

// maxNamespaces bounds the memory. A component that is refused in more namespaces has no
// RBAC at all.
const maxNamespaces = 4096

func newPermissions(c *config) *permissions {
	return &permissions{
		config:     c,
		log:        broadcast.NewLog(*c.Logger, c.Clock),
		prober:     &discovery.Prober{},
		namespaces: map[string]*namespace{},
	}
}

// namespaceLocked returns the entry of a namespace, which is made if there is none. The caller holds mu.
func (p *permissions) namespaceLocked(name string, now time.Time) *namespace {
	ns := p.namespaces[name]
	if ns == nil {
		p.forgetLocked(now)
		full := func(string, *namespace) bool { return len(p.namespaces) >= maxNamespaces }
		maps.DeleteFunc(p.namespaces, full) // forgets any of them
		ns = &namespace{
			reviews:     newThrottledProbe(p.config),
			lastWritten: now,
		}
		// Without its name the remedy would be a ClusterRole for all namespaces, until a review is answered.
		ns.Access.Namespace = name
		p.namespaces[name] = ns
	}
	return ns
}

// forgetLocked forgets the namespaces that were not written to for some time. The caller holds mu.
func (p *permissions) forgetLocked(now time.Time) {
	maps.DeleteFunc(p.namespaces, func(_ string, ns *namespace) bool { return ns.outdated(now) })
}

// review returns what is known of the namespace of w, which api refused with err. It asks
// the server, unless that was done within the last minute.
func (p *permissions) review(ctx context.Context, w *write, api Mode, err error) NamespaceStatus {
	now, refusal := p.config.Clock.Now(), textOf(err)
	p.mu.Lock()
	ns := p.namespaceLocked(w.event.Namespace, now)
	ns.onRefused(w.op, api, refusal, now)
	p.mu.Unlock()

	ns.reviews.ask(ctx, timing.ReviewEvery, func() {
		access, err := p.prober.Access(ctx, w.event.Namespace)
		failure := textOf(err)
		p.mu.Lock()
		defer p.mu.Unlock()
		ns.Access = access
		ns.ReviewError = failure
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	return ns.NamespaceStatus
}

// onStored notes that w was stored through api, which may prove that what was refused is
// allowed.
func (p *permissions) onStored(w *write, api Mode) {
	p.restore(w.event.Namespace, func(ns *namespace) (moved, granted bool) { return ns.onStored(w.op, api) })
}

// choose returns the API for w: the usual one, or core/v1 if events.k8s.io/v1 refused its
// namespace, unless w tries if it still does. A ClusterRole grants events.k8s.io/v1 in all
// namespaces, so one of them tries for all. A Role grants it in one, so each tries by itself,
// too, but less often.
func (p *permissions) choose(w *write, usual Mode) (api Mode, tries bool) {
	now := p.config.Clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	ns := p.namespaces[w.event.Namespace]
	if ns == nil {
		return usual, false
	}
	ns.lastWritten = now
	if !ns.Exception || usual == ModeCoreV1 {
		return usual, false
	}
	wait := timing.PermissionBackoff.After(p.tries + 1)
	early := now.Sub(ns.lastTried) < timing.OwnPermissionTry && now.Sub(p.lastTried) < wait
	if early || !ns.proves(w.op) {
		return ModeCoreV1, false
	}
	ns.lastTried = now
	p.lastTried = now
	p.tries++
	return ModeEventsV1, true
}

// move makes the namespace of w go through api, because the other API has refused w with err.
func (p *permissions) move(w *write, api Mode, err error) {
	if api == ModeCoreV1 {
		p.fallBack(w, err)
	} else {
		p.restore(w.event.Namespace, func(ns *namespace) (moved, granted bool) { return ns.restore(w.op) })
	}
}

// fallBack makes the namespace of w an exception that goes through core/v1, because events.k8s.io/v1
// has refused it with err and the other API has not. It logs a change.
func (p *permissions) fallBack(w *write, err error) {
	now := p.config.Clock.Now()
	name := w.event.Namespace
	p.mu.Lock()
	ns := p.namespaceLocked(name, now)
	changed := ns.fallBack(w.op, now)
	p.lastTried = now
	access := ns.Access
	p.mu.Unlock()
	if changed {
		p.config.Logger.Info("RBAC forbids events.k8s.io/v1 in this namespace; "+
			"its Events go through core/v1 until the permission is granted", "advice", "rbac-v1",
			"namespace", name, "err", err, "remedy", rawJSON(access.Remedy()), "or", clusterRoleHint(access))
	}
}

// restore applies change to a namespace that has an entry. It logs that the namespace is no exception any
// more. If a permission was granted, a ClusterRole may have granted it, so all exceptions may try then.
func (p *permissions) restore(name string, change func(*namespace) (moved, granted bool)) {
	p.mu.Lock()
	var moved, granted bool
	if ns := p.namespaces[name]; ns != nil {
		moved, granted = change(ns)
	}
	if granted {
		p.tries = 0
		for _, other := range p.namespaces {
			other.lastTried = time.Time{}
		}
	}
	p.mu.Unlock()
	if moved {
		p.config.Logger.Info("Events of this namespace go through events.k8s.io/v1 again", "namespace", name)
	}
}

// logKept logs that the Events of a namespace wait, and again while they do: the first
// line may be gone when somebody looks. Where nothing is known it waits for a minute,
// because a kube-apiserver that starts refuses all requests, also reviews, until it has
// read its RBAC objects. The engine, which has the same log, says when it is over.
func (p *permissions) logKept(w *write, ns *NamespaceStatus) {
	unknown := ns.Access.EventsV1 == discovery.PermissionUnknown && ns.Access.CoreV1 == discovery.PermissionUnknown
	if unknown && p.config.within(timing.ReviewEvery, ns.Since) {
		return
	}
	name := w.event.Namespace
	p.log.Forbidden(name, w.op, func() {
		logger := *p.config.Logger
		if ns.ReviewError != "" {
			logger = logger.WithValues("reviewErr", ns.ReviewError)
		}
		logger.Error(errors.New(ns.LastError), "RBAC forbids Events in this namespace; "+
			"their writes are retried until the permission is granted", "advice", "rbac-namespace",
			"namespace", name, "remedy", rawJSON(ns.Access.Remedy()), "or", clusterRoleHint(ns.Access))
	})
}

// status returns the namespaces that are not healthy. usual is the API of the rest.
func (p *permissions) status(usual Mode) map[string]NamespaceStatus {
	now := p.config.Clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgetLocked(now)
	all := make(map[string]NamespaceStatus, len(p.namespaces))
	for name, ns := range p.namespaces {
		if !ns.healthy() {
			all[name] = ns.status(usual)
		}
	}
	return all
}
