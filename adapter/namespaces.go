// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/request"
)

// step is what to do about a refused write.
type step int

const (
	keep         step = iota // nothing is allowed: wait for RBAC
	retryAllowed             // RBAC says yes: it was just mended, or admission refused
	tryOther                 // nobody can tell: try the other API once
	useOther                 // this namespace goes through the other API from now on
)

// decide is the decision table for a write through api that was refused.
func decide(api API, access discovery.Access, maySwitch bool) step {
	used, other := access.EventsV1, access.CoreV1
	if api == CoreV1 {
		used, other = other, used
	}
	switch {
	case used == discovery.Allowed:
		return retryAllowed
	case !maySwitch:
		return keep
	case other == discovery.Allowed:
		return useOther
	case other == discovery.PermissionUnknown:
		return tryOther
	default:
		return keep
	}
}

// namespaces remembers where writes were refused. It learns from refusals only,
// and asks about a namespace once a minute at most.
type namespaces struct {
	config *config
	asker  asker

	mu      sync.Mutex // guards the rest
	known   map[string]*namespace
	moments uint64 // so far, see now
	user    string // who we are, once a remedy had to say it
	returns returns
}

// maxNamespaces bounds what is remembered; far more than that refused at a time
// is a component without any RBAC, where nothing is gained by remembering.
const maxNamespaces = 4096

type namespace struct {
	core    bool // written through core/v1, although others are not
	kept    bool // nothing is allowed, which was logged
	tried   bool // the other API refused, too, since it was last asked
	refused verb // those that have not succeeded since
	access  discovery.Access
	asked   time.Time
	yeses   int              // of returns, when it last asked whether it may return
	asking  chan struct{}    // closed when the question under way is answered
	answer  uint64           // the moment of the question that access is the answer to
	stored  map[grant]uint64 // the moments at which writes were sent that RBAC let pass
	since   time.Time
	err     error
}

// grant is what RBAC allows a write by.
type grant struct {
	api  API
	verb verb
}

// well tells whether nothing is wrong (any more). Such a namespace is only
// remembered so that it is not asked about again within the minute.
func (ns *namespace) well() bool { return ns.refused == 0 && !ns.core }

func newNamespaces(asker asker, c *config) *namespaces {
	return &namespaces{config: c, asker: asker, known: map[string]*namespace{}}
}

// viaCore reports whether a namespace is written through core/v1. When it is time
// to, one caller finds out whether that is still so; the others do not wait for it.
func (n *namespaces) viaCore(ctx context.Context, name string) bool {
	n.mu.Lock()
	ns := n.known[name]
	if ns == nil || !ns.core || ns.asking != nil {
		defer n.mu.Unlock()
		return ns != nil && ns.core
	}
	if n.returns.due(n.config, ns) {
		n.askLocked(ctx, name, ns, false)
		n.returns.answered(ns.access.EventsV1)
	}
	back := ns.access.EventsV1 == discovery.Allowed
	n.mu.Unlock()
	if back {
		n.use(name, EventsV1, nil, "")
	}
	return !back
}

// refused learns what RBAC allows in the namespace of w, which was refused with
// err by api, and decides.
func (n *namespaces) refused(ctx context.Context, w *write, api API, maySwitch bool, err error) step {
	name := w.namespace()
	access := n.learn(ctx, name)
	n.mu.Lock()
	ns := n.entryLocked(name)
	if ns.well() {
		ns.since = n.config.clock.Now()
	}
	ns.refused, ns.err = ns.refused|w.verb, err
	tried := ns.tried
	n.mu.Unlock()
	todo := decide(api, access, maySwitch)
	switch {
	case todo == useOther:
		n.use(name, api.other(), err, n.identify(ctx))
	case todo == tryOther && tried:
		return keep
	}
	return todo
}

// tried books what came of sending w, which was refused with err, through the
// other API: an answer to keep to, or nothing if it refuses w, too (false).
func (n *namespaces) tried(w *write, other API, err, otherErr error, user string) bool {
	switch request.Classify(request.Request{}, otherErr).Action {
	case request.Forbidden, request.Unsupported:
		n.mu.Lock()
		n.entryLocked(w.namespace()).tried = true
		n.mu.Unlock()
		return false
	case request.Stored, request.Recreate, request.Resend, request.Drop:
		n.use(w.namespace(), other, err, user)
	}
	return true
}

// use has a namespace written through api from now on, and says so.
func (n *namespaces) use(name string, api API, err error, user string) {
	n.mu.Lock()
	ns := n.entryLocked(name)
	switched := ns.core != (api == CoreV1)
	ns.core, ns.kept = api == CoreV1, false
	access := ns.access
	n.mu.Unlock()
	switch {
	case !switched:
	case api == CoreV1:
		access.User = user
		n.config.logger.Info("RBAC refuses events.k8s.io/v1 in this namespace; "+
			"its Events go through core/v1 until it is granted",
			"namespace", name, "err", err, "remedy", remedy(access), "or", inAll(access))
	default:
		n.config.logger.Info("Events of this namespace go through events.k8s.io/v1 again", "namespace", name)
	}
}

// keep says that the events of a namespace wait, once until they are written. It
// waits for a minute where nobody can tell: a kube-apiserver that starts refuses
// everything, also the questions, until it has read who may do what.
func (n *namespaces) keep(ctx context.Context, w *write, err error) {
	n.mu.Lock()
	ns := n.entryLocked(w.namespace())
	access := ns.access
	unknown := access.EventsV1 == discovery.PermissionUnknown && access.CoreV1 == discovery.PermissionUnknown
	say := !ns.kept && !(unknown && n.config.recently(ns.since, accessEvery))
	ns.kept = ns.kept || say
	n.mu.Unlock()
	if say {
		access.User = n.identify(ctx)
		n.config.logger.Error(err, "RBAC refuses Events in this namespace; they are kept until it is granted",
			"namespace", w.namespace(), "remedy", remedy(access), "or", inAll(access))
	}
}

// written books that w was stored through api, which mends what its verb was
// refused.
func (n *namespaces) written(w *write, api API) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ns := n.known[w.namespace()]
	if ns == nil {
		return
	}
	if ns.stored == nil {
		ns.stored = map[grant]uint64{}
	}
	g := grant{api, w.verb}
	ns.stored[g] = max(ns.stored[g], w.sent)
	if ns.refused &^= w.verb; ns.refused == 0 {
		ns.kept = false
	}
	if ns.well() && ns.asking == nil && !n.config.recently(ns.asked, accessEvery) {
		delete(n.known, w.namespace())
	}
}

// now tells this moment from all others, earlier and later: clocks are set.
func (n *namespaces) now() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.moments++
	return n.moments
}

// proven tells whether RBAC was found to allow something after a moment: by a
// question that was asked, or a write that was sent, later than that.
func (n *namespaces) proven(name string, g grant, moment uint64) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	ns := n.known[name]
	return ns != nil && max(ns.answer, ns.stored[g]) > moment
}

func (n *namespaces) entryLocked(name string) *namespace {
	ns := n.known[name]
	if ns == nil {
		for other := range n.known {
			if len(n.known) < maxNamespaces {
				break
			}
			delete(n.known, other)
		}
		ns = &namespace{since: n.config.clock.Now()}
		n.known[name] = ns
	}
	return ns
}
