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

// permissions holds the state of each namespace in which a write was refused. It learns the
// permissions of the component from the answers to writes and from access reviews. It sends at most
// one access review a minute for each namespace. If a namespace has no entry, no write was refused
// in it, and writes go through the usual API.
type permissions struct {
	config *config
	// log is shared with the engine, so that the engine can log when writes are no longer refused.
	log *broadcast.Log
	// prober sends access reviews. Until attach replaces it, it is a prober that returns an error
	// for every request.
	prober *discovery.Prober

	// mu guards the fields below. While it is held, no request is sent and no user code runs.
	mu sync.Mutex
	// namespaces holds at most maxNamespaces entries. The key is the name of the namespace.
	namespaces map[string]*namespace
	// lastTried is the last time at which a namespace became an exception (see namespace), or at
	// which a write in a namespace that is an exception tried events.k8s.io/v1.
	lastTried time.Time
	// tries is the number of writes that have tried events.k8s.io/v1 in namespaces that are
	// exceptions, since a permission was last granted.
	tries int
}

// maxNamespaces is the maximum number of namespaces to remember, to limit memory. A component whose
// writes are refused in more namespaces than this has no RBAC at all, so forgetting some of these
// namespaces loses nothing.
const maxNamespaces = 4096

func newPermissions(c *config) *permissions {
	return &permissions{
		config:     c,
		log:        broadcast.NewLog(*c.Logger, c.Clock),
		prober:     &discovery.Prober{},
		namespaces: map[string]*namespace{},
	}
}

// namespaceLocked returns the entry of a namespace, creating it if needed. If the map is full, it
// first deletes an arbitrary other entry. The caller must hold mu.
func (p *permissions) namespaceLocked(name string, now time.Time) *namespace {
	ns := p.namespaces[name]
	if ns == nil {
		p.forgetLocked(now)
		full := func(string, *namespace) bool { return len(p.namespaces) >= maxNamespaces }
		maps.DeleteFunc(p.namespaces, full)
		ns = &namespace{
			reviews:     newThrottledProbe(p.config),
			lastWritten: now,
		}
		// Until a review is answered, the remedy is derived from this Access. Without the name, the
		// remedy would be a ClusterRole for all namespaces.
		ns.Access.Namespace = name
		p.namespaces[name] = ns
	}
	return ns
}

// forgetLocked deletes the outdated entries. The caller must hold mu.
func (p *permissions) forgetLocked(now time.Time) {
	maps.DeleteFunc(p.namespaces, func(_ string, ns *namespace) bool { return ns.outdated(now) })
}

// review handles err, the answer with which the server has refused the write w through api. It asks
// the server with an access review what the component is allowed to do in the namespace of w,
// unless it has asked within the last minute. It returns the state of the namespace.
//
// It blocks until the review is answered. Concurrent calls for the same namespace share one review.
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

// onStored handles the success of w, which was sent through api. If writes in the namespace of w
// were refused before, the success can prove that they are allowed now.
func (p *permissions) onStored(w *write, api Mode) {
	p.restore(w.event.Namespace, func(ns *namespace) (moved, granted bool) { return ns.onStored(w.op, api) })
}

// choose returns the API for w: core/v1 if the namespace of w is an exception, and otherwise the
// parameter usual. From time to time choose returns events.k8s.io/v1 even for an exception, with
// tries set to true, so that w finds out whether events.k8s.io/v1 is still refused.
//
// A ClusterRole grants events.k8s.io/v1 in all namespaces, so a write in one exception tries
// events.k8s.io/v1 on behalf of all exceptions, with a back-off. A Role grants events.k8s.io/v1 in
// one namespace only, so the writes of each exception also try it for that exception alone, but
// less often.
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

// move redirects the writes of w's namespace to api. It is called when the other API has refused w
// with err, and api has stored w or a review has shown that api is allowed.
func (p *permissions) move(w *write, api Mode, err error) {
	if api == ModeCoreV1 {
		p.fallBack(w, err)
	} else {
		p.restore(w.event.Namespace, func(ns *namespace) (moved, granted bool) { return ns.restore(w.op) })
	}
}

// fallBack makes the namespace of w an exception, because events.k8s.io/v1 has refused w with err
// and core/v1 has not refused w. It logs the change, unless the namespace already is an exception.
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

// restore calls change with the entry of a namespace, if there is one, while holding mu. The
// function change can make the namespace healthy; its results are those of namespace.restore. If
// the namespace has moved back to events.k8s.io/v1, restore logs this. If a permission was granted,
// restore lets every exception try events.k8s.io/v1 with its next write, because a ClusterRole may
// have granted the permission in all namespaces.
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

// logKept logs that RBAC refuses w, so that the Events of the namespace of w wait. It repeats the
// line every ten minutes, because the first one may have been rotated out of the log by the time
// someone looks. The engine, which shares the log, logs when RBAC no longer refuses the writes.
//
// As long as no review has been answered, logKept logs nothing in the first minute, because a
// starting kube-apiserver refuses all requests, including reviews, until it has read its RBAC
// objects.
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

// status returns the state of every namespace that is not healthy, by name. The parameter usual is
// the API of the other namespaces.
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
