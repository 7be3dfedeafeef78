// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/request"
)

// permissions tracks what RBAC allows in the namespaces where writes were refused.
// It learns from refusals only. A namespace is reviewed at most once a minute.
type permissions struct {
	config *config
	prober permissionProber

	mu         sync.Mutex // guards the rest
	namespaces map[string]*namespace
	sequence   uint64       // the last number of nextSequence
	user       string       // the client's user name, once a remedy needed it
	identity   singleFlight // for user
	returns    returnSchedule
}

// permissionProber is a [*discovery.Prober].
type permissionProber interface {
	Permission(ctx context.Context, namespace, group string) (discovery.Permission, error)
	User(ctx context.Context) (string, error)
}

const (
	// reviewInterval is the shortest time between two reviews of one namespace.
	reviewInterval = time.Minute
	// reviewTimeout is shorter than the 30 s that a write may take by default,
	// because the write waits for the review.
	reviewTimeout = 10 * time.Second
	// keptInterval is between two lines of the log about a namespace whose Events wait.
	keptInterval = 10 * time.Minute
	// maxNamespaces bounds the memory. A component that is refused in more namespaces
	// has no RBAC at all.
	maxNamespaces = 4096
)

// namespace is what is known about one namespace.
type namespace struct {
	viaCore      bool // written through core/v1, unlike other namespaces
	otherRefused bool // the other API refused as well, since the last full review
	refused      verb // the verbs that have not succeeded since their refusal
	since        time.Time
	keptLogged   time.Time // when it was last logged that its Events are kept
	err          error     // the last refusal, or the error of a review after it

	access        discovery.Access
	review        singleFlight
	reviewedAt    uint64           // the sequence number of the last full review
	storedAt      map[grant]uint64 // the sequence numbers of the latest writes that were stored
	grantsAtCheck int              // see returnSchedule
}

// grant is a permission that a stored write proves.
type grant struct {
	api  API
	verb verb
}

// healthy reports whether nothing is refused any more. A healthy namespace is kept
// for a while, so that it is not reviewed again within the minute.
func (ns *namespace) healthy() bool { return ns.refused == 0 && !ns.viaCore }

func newPermissions(c *config) *permissions {
	return &permissions{config: c, prober: &discovery.Prober{}, namespaces: map[string]*namespace{}}
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
		ns = &namespace{since: p.config.clock.Now()}
		p.namespaces[name] = ns
	}
	return ns
}

// nextSequence returns a sequence number. Wall clocks may be set back, so they do
// not tell what came first.
func (p *permissions) nextSequence() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sequence++
	return p.sequence
}

// nextStep says what to do about a refused write.
type nextStep int

const (
	keepEvent     nextStep = iota // nothing is allowed: wait for RBAC
	retrySame                     // RBAC allows it: it was granted just now, or admission refused
	tryOther                      // unknown: try the other API once
	switchToOther                 // use the other API for this namespace from now on
)

// decide is the decision table for a write that api refused.
func decide(api API, access discovery.Access, maySwitch bool) nextStep {
	used, other := access.EventsV1, access.CoreV1
	if api == CoreV1 {
		used, other = other, used
	}
	switch {
	case used == discovery.Allowed:
		return retrySame
	case !maySwitch:
		return keepEvent
	case other == discovery.Allowed:
		return switchToOther
	case other == discovery.PermissionUnknown:
		return tryOther
	default:
		return keepEvent
	}
}

// onRefused decides about w, which api refused with err. It reviews the namespace
// unless that was done within the last minute.
func (p *permissions) onRefused(ctx context.Context, w *write, api API, maySwitch bool, err error) nextStep {
	name := w.event.Namespace
	p.mu.Lock()
	ns := p.namespaceLocked(name)
	if !p.config.recently(ns.review.last, reviewInterval) {
		p.reviewLocked(ctx, name, ns, true)
	}
	access := ns.access
	ns = p.namespaceLocked(name) // it may have been deleted during the review
	if ns.healthy() {
		ns.since = p.config.clock.Now()
	}
	ns.refused, ns.err = ns.refused|w.verb, err
	otherRefused := ns.otherRefused
	p.mu.Unlock()
	step := decide(api, access, maySwitch)
	switch {
	case step == switchToOther:
		p.switchTo(name, api.other(), err, p.username(ctx))
	case step == tryOther && otherRefused:
		return keepEvent
	}
	return step
}

// onTried handles otherErr, the answer of the other API to w, which was refused
// with err. It reports whether the other API took a decision about w.
func (p *permissions) onTried(w *write, other API, err, otherErr error, user string) bool {
	switch request.Classify(request.Request{}, otherErr).Action {
	case request.Forbidden, request.Unsupported:
		p.mu.Lock()
		p.namespaceLocked(w.event.Namespace).otherRefused = true
		p.mu.Unlock()
		return false
	case request.Stored, request.Recreate, request.Resend, request.Drop:
		p.switchTo(w.event.Namespace, other, err, user)
	}
	return true
}

// onStored notes that w was stored through api, which proves the permission.
func (p *permissions) onStored(w *write, api API) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ns := p.namespaces[w.event.Namespace]
	if ns == nil {
		return
	}
	if ns.storedAt == nil {
		ns.storedAt = map[grant]uint64{}
	}
	g := grant{api, w.verb}
	ns.storedAt[g] = max(ns.storedAt[g], w.sequence)
	if ns.refused &^= w.verb; ns.refused == 0 {
		ns.keptLogged = time.Time{}
	}
	if ns.healthy() && ns.review.running == nil && !p.config.recently(ns.review.last, reviewInterval) {
		delete(p.namespaces, w.event.Namespace)
	}
}

// allowedSince reports whether a review or a stored write that was sent after
// sequence showed that RBAC allows g.
func (p *permissions) allowedSince(name string, g grant, sequence uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	ns := p.namespaces[name]
	return ns != nil && max(ns.reviewedAt, ns.storedAt[g]) > sequence
}

// usesCore reports whether a namespace is written through core/v1. One caller
// checks from time to time whether events.k8s.io/v1 was granted. The others do not
// wait for it.
func (p *permissions) usesCore(ctx context.Context, name string) bool {
	p.mu.Lock()
	ns := p.namespaces[name]
	if ns == nil || !ns.viaCore || ns.review.running != nil {
		defer p.mu.Unlock()
		return ns != nil && ns.viaCore
	}
	if p.returns.due(p.config, ns) {
		p.reviewLocked(ctx, name, ns, false)
		p.returns.checked(ns.access.EventsV1)
	}
	granted := ns.access.EventsV1 == discovery.Allowed
	p.mu.Unlock()
	if granted {
		p.switchTo(name, EventsV1, nil, "")
	}
	return !granted
}

// switchTo writes a namespace through api from now on, and logs a change.
func (p *permissions) switchTo(name string, api API, err error, user string) {
	p.mu.Lock()
	ns := p.namespaceLocked(name)
	changed := ns.viaCore != (api == CoreV1)
	ns.viaCore, ns.keptLogged = api == CoreV1, time.Time{}
	access := ns.access
	p.mu.Unlock()
	switch {
	case !changed:
	case api == CoreV1:
		access.User = user
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
func (p *permissions) logKept(ctx context.Context, name string, err error) {
	p.mu.Lock()
	ns := p.namespaceLocked(name)
	access := ns.access
	unknown := access.EventsV1 == discovery.PermissionUnknown && access.CoreV1 == discovery.PermissionUnknown
	due := !p.config.recently(ns.keptLogged, keptInterval) &&
		!(unknown && p.config.recently(ns.since, reviewInterval))
	if due {
		ns.keptLogged = p.config.clock.Now()
	}
	p.mu.Unlock()
	if due {
		access.User = p.username(ctx)
		p.config.logger.Error(err, "RBAC forbids Events in this namespace; "+
			"they are kept until the permission is granted", "advice", "rbac-namespace",
			"namespace", name, "remedy", remedy(access), "or", clusterRoleHint(access))
	}
}

// reviewLocked asks the server about a namespace: about both APIs in a full review,
// otherwise about events.k8s.io/v1. The lock is released meanwhile.
func (p *permissions) reviewLocked(ctx context.Context, name string, ns *namespace, full bool) {
	p.sequence++
	sequence, access := p.sequence, ns.access
	var err error
	asked := ns.review.do(ctx, &p.mu, p.config.clock, func() {
		ctx, cancel := context.WithTimeout(ctx, reviewTimeout)
		defer cancel()
		access.Namespace = name
		access.EventsV1, err = p.prober.Permission(ctx, name, eventsv1.GroupName)
		if full {
			var coreErr error
			access.CoreV1, coreErr = p.prober.Permission(ctx, name, corev1.GroupName)
			err = cmp.Or(err, coreErr)
		}
	})
	if !asked {
		return
	}
	ns.access = access
	if full {
		ns.reviewedAt, ns.otherRefused = sequence, false
	}
	if err != nil {
		ns.err = err
	}
}

// username returns the client's user name for a remedy. The first caller asks. Without an
// answer the remedy has a placeholder, and the next caller asks again.
func (p *permissions) username(ctx context.Context) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.user == "" {
		var user string
		if p.identity.do(ctx, &p.mu, p.config.clock, func() { user, _ = p.prober.User(ctx) }) {
			p.user = user
		}
	}
	return p.user
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
		access := ns.access
		if access.EventsV1 != discovery.Allowed || access.CoreV1 != discovery.Allowed {
			access.User = p.user
		}
		all[name] = NamespaceStatus{API: api, Access: access, LastError: ns.err, Since: ns.since}
	}
	return all
}

const (
	// returnInterval is how often each namespace that is written through core/v1
	// checks at least whether events.k8s.io/v1 was granted.
	returnInterval = 30 * time.Minute
	// maxReturnWait is the longest wait between the checks of all these namespaces
	// together. It starts at a minute, for an operator who applies the remedy.
	maxReturnWait = 10 * time.Minute
)

// returnSchedule says when namespaces that are written through core/v1 check
// whether events.k8s.io/v1 was granted. A ClusterRole grants it in all of them, so
// the check of one namespace tells the others when to check. Nothing is lost
// meanwhile, so checks may be rare. The zero returnSchedule is ready.
type returnSchedule struct {
	last   time.Time     // the last check of any namespace
	wait   time.Duration // from last to the next check
	grants int           // how many checks found a grant
}

// due reports whether ns checks now. Then no other namespace has to.
func (r *returnSchedule) due(c *config, ns *namespace) bool {
	due := !c.recently(ns.review.last, reviewInterval) && (!c.recently(ns.review.last, returnInterval) ||
		ns.grantsAtCheck != r.grants || !c.recently(r.last, r.wait))
	if due {
		r.last, ns.grantsAtCheck = c.clock.Now(), r.grants
	}
	return due
}

// checked takes the answer to a check. The wait doubles until a grant is found.
func (r *returnSchedule) checked(answer discovery.Permission) {
	if answer == discovery.Allowed {
		r.grants, r.wait = r.grants+1, reviewInterval
		return
	}
	r.wait = min(2*max(r.wait, reviewInterval), maxReturnWait)
}
