// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/writer"
)

// step is what to do about a refused write.
type step int

const (
	keep         step = iota // nothing is allowed: wait for RBAC
	retryAllowed             // RBAC says yes: it was just mended, or admission refused
	tryCore                  // nobody can tell: try core/v1 once
	useCore                  // this namespace goes through core/v1 from now on
	useEventsV1              // this namespace goes through events.k8s.io/v1 again
)

// decide is the decision table for a write through api that was refused.
func decide(api API, access discovery.Access, maySwitch bool) step {
	used, other, switched := access.EventsV1, access.CoreV1, useCore
	if api == CoreV1 {
		used, other, switched = access.CoreV1, access.EventsV1, useEventsV1
	}
	switch {
	case used == discovery.Allowed:
		return retryAllowed
	case maySwitch && other == discovery.Allowed:
		return switched
	case maySwitch && api == EventsV1 && other == discovery.PermissionUnknown:
		return tryCore
	default:
		return keep
	}
}

// namespaces remembers where RBAC refused a write. It learns from refusals only,
// and asks about a namespace once a minute at most.
type namespaces struct {
	config *config
	ask    func(context.Context, string) (discovery.Access, error)

	mu    sync.Mutex // guards the rest
	known map[string]*namespace
}

// maxNamespaces bounds what is remembered; far more than that refused at a time
// is a component without any RBAC, where nothing is gained by remembering.
const maxNamespaces = 4096

type namespace struct {
	core      bool // written through core/v1
	triedCore bool // and that failed, since it was last asked
	access    discovery.Access
	asked     time.Time
	asking    chan struct{}
	told      discovery.Access // what the log line was about
	since     time.Time
	err       error
}

func newNamespaces(ask func(context.Context, string) (discovery.Access, error), c *config) *namespaces {
	return &namespaces{config: c, ask: ask, known: map[string]*namespace{}}
}

// viaCore tells whether a namespace is written through core/v1. After a minute
// one caller finds out whether that is still so.
func (n *namespaces) viaCore(ctx context.Context, name string) bool {
	n.mu.Lock()
	ns := n.known[name]
	core := ns != nil && ns.core
	again := core && ns.asking == nil && n.config.clock.Since(ns.asked) >= accessEvery
	n.mu.Unlock()
	if !again {
		return core
	}
	access := n.learn(ctx, name)
	if access.EventsV1 != discovery.Allowed {
		return true
	}
	n.mu.Lock()
	delete(n.known, name)
	n.mu.Unlock()
	n.config.logger.Info("RBAC allows events.k8s.io/v1 again; Events of the namespace go through it", "namespace", name)
	return false
}

// refused learns what RBAC allows in a namespace, and decides. It logs the
// remedy once per finding.
func (n *namespaces) refused(ctx context.Context, name string, api API, maySwitch bool, err error) step {
	access := n.learn(ctx, name)
	n.mu.Lock()
	ns := n.entryLocked(name)
	ns.err = err
	todo := decide(api, access, maySwitch)
	switch {
	case todo == tryCore && ns.triedCore:
		todo = keep
	case todo == useCore:
		ns.core = true
	case todo == useEventsV1:
		ns.core = false
	}
	tell := todo != retryAllowed && ns.told != access
	ns.told = access
	n.mu.Unlock()
	if tell {
		n.tell(name, todo, access, err)
	}
	return todo
}

func (n *namespaces) tell(name string, todo step, access discovery.Access, err error) {
	msg := "RBAC refuses Events in this namespace; they are kept until it is granted"
	switch todo {
	case useCore:
		msg = "RBAC refuses events.k8s.io/v1 in this namespace; its Events go through core/v1 until it is granted"
	case useEventsV1:
		msg = "RBAC refuses core/v1 Events in this namespace; its Events go through events.k8s.io/v1"
	}
	n.config.logger.Error(err, msg, "namespace", name, "remedy", access.Remedy())
}

// tried books the outcome of the one try through core/v1.
func (n *namespaces) tried(name string, err error) (ok bool) {
	ok = writer.Classify(err).Action != writer.Forbidden
	n.mu.Lock()
	defer n.mu.Unlock()
	ns := n.entryLocked(name)
	ns.core, ns.triedCore = ok, !ok
	return ok
}

// written forgets the trouble with a namespace once it is written as others are.
func (n *namespaces) written(name string, api API) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if ns := n.known[name]; ns != nil && (api == EventsV1 || !ns.core) {
		delete(n.known, name)
	}
}

// learn returns what RBAC allows in a namespace, as of at most a minute ago.
// Callers at the same time share one question.
func (n *namespaces) learn(ctx context.Context, name string) discovery.Access {
	n.mu.Lock()
	ns := n.entryLocked(name)
	if !ns.asked.IsZero() && n.config.clock.Since(ns.asked) < accessEvery {
		defer n.mu.Unlock()
		return ns.access
	}
	if asking := ns.asking; asking != nil {
		n.mu.Unlock()
		select {
		case <-asking:
		case <-ctx.Done():
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		return ns.access
	}
	asking := make(chan struct{})
	ns.asking = asking
	n.mu.Unlock()

	access, err := n.ask(ctx, name)

	n.mu.Lock()
	defer n.mu.Unlock()
	ns.access, ns.asked, ns.asking, ns.triedCore = access, n.config.clock.Now(), nil, false
	if err != nil {
		ns.err = err
	}
	close(asking)
	return access
}

func (n *namespaces) entryLocked(name string) *namespace {
	ns := n.known[name]
	if ns == nil {
		if len(n.known) >= maxNamespaces {
			clear(n.known)
		}
		ns = &namespace{since: n.config.clock.Now()}
		n.known[name] = ns
	}
	return ns
}
