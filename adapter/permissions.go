// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/broadcast"
)

// permissions tracks what RBAC allows in the namespaces where writes were refused.
// It learns from refusals only. A namespace is reviewed at most once a minute.
type permissions struct {
	config *config
	log    *broadcast.Log
	prober *discovery.Prober

	mu         sync.Mutex // guards the rest; no request is sent under it
	namespaces map[string]*namespace
	tried      time.Time     // when a namespace that goes through core/v1 last tried events.k8s.io/v1
	wait       time.Duration // from tried to the next such try
}

const (
	// reviewInterval is the shortest time between two reviews of one namespace. It is no
	// longer than the time over which a series must be refused to be given up, so that
	// RBAC is known to have allowed it meanwhile.
	reviewInterval = time.Minute
	// keptInterval is between two lines of the log about a namespace whose Events wait.
	keptInterval = 10 * time.Minute
	// maxNamespaces bounds the memory. A component that is refused in more namespaces
	// has no RBAC at all.
	maxNamespaces = 4096
)

// A namespace that goes through core/v1 tries events.k8s.io/v1 with a write now and then.
// A refused try costs one request. A ClusterRole grants it in all namespaces, so one of
// them tries for all, after a minute at first, for an operator who applies the remedy.
// Where it is granted by a Role, the namespace finds out by itself. Nothing is lost
// meanwhile, so tries may be rare.
const (
	firstTry   = time.Minute      // by any namespace; the wait doubles with each refused one
	longestTry = 10 * time.Minute // by any namespace
	ownTry     = 30 * time.Minute // by each namespace
)

// namespace is what is known about one namespace.
type namespace struct {
	asking       turn             // of who reviews it
	access       discovery.Access // the answers of the last review
	reviewed     time.Time        // when that ended
	otherRefused bool             // the API that is not in use refused as well, since then

	viaCore bool      // written through core/v1, unlike other namespaces
	tried   time.Time // when such a namespace last tried events.k8s.io/v1
	refused verb      // the verbs that have not succeeded since their refusal
	since   time.Time // the first refusal
	err     error     // the last refusal, or the error of a review after it
}

// healthy reports whether nothing is refused any more. A healthy namespace is kept, so
// that it is not reviewed again within the minute.
func (ns *namespace) healthy() bool { return ns.refused == 0 && !ns.viaCore }

func newPermissions(c *config, log *broadcast.Log) *permissions {
	return &permissions{config: c, log: log, prober: &discovery.Prober{}, namespaces: map[string]*namespace{}}
}

func (p *permissions) namespaceLocked(name string) *namespace {
	ns := p.namespaces[name]
	if ns == nil {
		for other := range p.namespaces {
			if len(p.namespaces) < maxNamespaces {
				break
			}
			delete(p.namespaces, other)
		}
		ns = &namespace{asking: newTurn()}
		p.namespaces[name] = ns
	}
	return ns
}

// review returns what is known of the namespace of w, which api refused with err. It asks
// the server, unless that was done within the last minute.
func (p *permissions) review(ctx context.Context, w *write, api API, err error) namespace {
	p.mu.Lock()
	ns := p.namespaceLocked(w.event.Namespace)
	if ns.healthy() {
		ns.since = p.config.clock.Now()
	}
	if ns.err = err; !ns.viaCore || api == EventsV1 {
		ns.refused |= w.verb
	}
	p.mu.Unlock()

	defer ns.asking.take(ctx)()
	p.mu.Lock()
	known, recent := *ns, p.config.recently(ns.reviewed, reviewInterval)
	p.mu.Unlock()
	if recent {
		return known
	}
	access, err := p.prober.Access(ctx, w.event.Namespace)
	p.mu.Lock()
	defer p.mu.Unlock()
	ns.access, ns.otherRefused = access, false
	if err != nil {
		ns.err = err
	}
	if !gaveUp(ctx) {
		ns.reviewed = p.config.clock.Now()
	}
	return *ns
}

// turn lets one caller at a time ask the server, while others wait for the answer.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take returns when it is the caller's turn, or ctx has ended.
func (t turn) take(ctx context.Context) (release func()) {
	select {
	case t <- struct{}{}:
		return func() { <-t }
	case <-ctx.Done():
		return func() {}
	}
}

// gaveUp reports whether a question under ctx does not count. A timeout does, because the
// next write would only time out as well. At a drain the caller gave up, and another one
// may ask.
func gaveUp(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// otherRefuses notes that the API that is not in use refused w as well.
func (p *permissions) otherRefuses(w *write) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.namespaceLocked(w.event.Namespace).otherRefused = true
}

// onStored notes that w was stored through api, which proves the permission.
func (p *permissions) onStored(w *write, api API) {
	name := w.event.Namespace
	p.mu.Lock()
	ns := p.namespaces[name]
	if ns == nil || ns.refused&w.verb == 0 || ns.viaCore && api == CoreV1 {
		p.mu.Unlock()
		return
	}
	ns.refused &^= w.verb
	returns := ns.viaCore && ns.refused == 0
	if ns.viaCore { // events.k8s.io/v1 was granted, perhaps by a ClusterRole: all try
		p.tried, p.wait = p.config.clock.Now(), firstTry
		for _, other := range p.namespaces {
			other.tried = time.Time{}
		}
	}
	p.mu.Unlock()
	if returns {
		p.use(name, EventsV1, nil)
	}
}

// choose returns whether w goes through core/v1, because events.k8s.io/v1 refused its
// namespace, and if not, whether w tries if it still does.
func (p *permissions) choose(w *write) (viaCore, try bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ns := p.namespaces[w.event.Namespace]
	if ns == nil || !ns.viaCore {
		return false, false
	}
	early := p.config.recently(ns.tried, ownTry) && p.config.recently(p.tried, p.wait)
	if early || ns.refused&w.verb == 0 { // another verb proves nothing
		return true, false
	}
	ns.tried = p.config.clock.Now()
	p.tried, p.wait = ns.tried, min(2*p.wait, longestTry)
	return false, true
}

// use writes a namespace through api from now on, and logs a change.
func (p *permissions) use(name string, api API, err error) {
	p.mu.Lock()
	ns, now := p.namespaceLocked(name), p.config.clock.Now()
	changed := ns.viaCore != (api == CoreV1)
	ns.viaCore, ns.tried = api == CoreV1, now
	if api == EventsV1 {
		ns.refused = 0
	} else if p.wait == 0 {
		p.tried, p.wait = now, firstTry
	}
	access := ns.access
	p.mu.Unlock()
	switch {
	case !changed:
	case api == CoreV1:
		p.config.logger.Info("RBAC forbids events.k8s.io/v1 in this namespace; "+
			"its Events go through core/v1 until the permission is granted", "advice", "rbac-v1",
			"namespace", name, "err", err, "remedy", remedy(access), "or", clusterRoleHint(access))
	default:
		p.config.logger.Info("Events of this namespace go through events.k8s.io/v1 again", "namespace", name)
	}
}

// logKept logs that the Events of a namespace wait, and again while they do: the first
// line may be gone when somebody looks. Where nothing is known it waits for a minute,
// because a kube-apiserver that starts refuses all requests, also reviews, until it has
// read its RBAC objects.
func (p *permissions) logKept(name string, ns *namespace) {
	unknown := ns.access.EventsV1 == discovery.PermissionUnknown && ns.access.CoreV1 == discovery.PermissionUnknown
	if unknown && p.config.recently(ns.since, reviewInterval) {
		return
	}
	p.log.Do("Forbidden", name, keptInterval, func() {
		p.config.logger.Error(ns.err, "RBAC forbids Events in this namespace; "+
			"they are kept until the permission is granted", "advice", "rbac-namespace",
			"namespace", name, "remedy", remedy(ns.access), "or", clusterRoleHint(ns.access))
	})
}

// status returns the namespaces that are not healthy. usual is the API of the rest.
func (p *permissions) status(usual API) map[string]NamespaceStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make(map[string]NamespaceStatus, len(p.namespaces))
	for name, ns := range p.namespaces {
		if ns.healthy() {
			continue
		}
		api := usual
		if ns.viaCore {
			api = CoreV1
		}
		all[name] = NamespaceStatus{API: api, Access: ns.access, LastError: textOf(ns.err), Since: ns.since}
	}
	return all
}
