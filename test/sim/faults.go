// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// faults decides the fate of each request that arrives.
type faults struct {
	kind  faultKind
	scope scope
	// percent is the part of the requests in scope that fail.
	percent int
	latency time.Duration
	failure Failure
	random  *rand.Rand

	// uneven has the namespaces that differ in latency or have a rate limit.
	uneven map[string]*character
	// retryAfter is the time for which an overloaded server asks to wait.
	retryAfter time.Duration
	began      time.Time
}

// faultKind is the fate of the requests that fail. All others are answered.
type faultKind int

const (
	noFault faultKind = iota
	// unanswered requests wait until the faults change.
	unanswered
	// failing requests all fail in the same way.
	failing
	// mixed requests fail in different ways.
	mixed
	// lossy requests take effect, and the answer is lost.
	lossy
	// masked requests take effect, and the answer is a failure.
	masked
	// slow requests are answered long after the client has given up, or never.
	slow
	// refused requests have no connection.
	refused
	// reset requests have a connection that breaks.
	reset
	// closed requests have a connection that is closed.
	closed
	// contradictory requests are answered that the event exists, to a create, or that there is
	// none, to a patch.
	contradictory
	// faultKinds is the number of kinds.
	faultKinds
)

func (k faultKind) String() string {
	return [...]string{"none", "unanswered", "failing", "mixed", "lossy", "masked", "slow", "refused", "reset", "closed",
		"contradictory"}[k]
}

// scope selects requests by component, namespace and API group. Empty means any.
type scope struct {
	component, namespace, group string
	// except selects all namespaces except this one.
	except string
	// anyGroup selects all groups. Otherwise the group "" is core/v1.
	anyGroup bool
	// poison selects only events about objects from poisonObject on.
	poison bool
}

var everything = scope{anyGroup: true}

func (s scope) covers(r *request) bool {
	if s.except != "" && (r.namespace == "" || r.namespace == s.except) {
		return false
	}
	if s.poison && !isPoison(r.about()) {
		return false
	}
	return (s.component == "" || s.component == r.component) && (s.namespace == "" || s.namespace == r.namespace) &&
		(s.anyGroup || s.group == r.group)
}

func isPoison(e *corev1.Event) bool {
	if e == nil {
		return false
	}
	i, err := strconv.Atoi(strings.TrimPrefix(e.InvolvedObject.Name, "object-"))
	return err == nil && i >= poisonObject
}

// plannedAnswer is the planned end of a request.
type plannedAnswer struct {
	// due is the time of the end. If it is zero, the request waits until the faults change.
	due time.Time
	how string
	end func(*request)
	// late is true if the end was planned again when the client had given up.
	late bool
}

func noFaults(random *rand.Rand) faults {
	return faults{kind: noFault, latency: 20 * time.Millisecond, random: random}
}

// jitter returns a random duration around d, so that no two answers come at the same time.
func (w *faults) jitter(d time.Duration) time.Duration {
	return d/2 + time.Duration(w.random.Int64N(int64(d)+1)) + 1
}

func (w *faults) plan(r *request, now time.Time) plannedAnswer {
	f := plannedAnswer{due: now.Add(w.jitter(w.latency)), how: "answered", end: (*request).answer}
	if c := w.uneven[r.namespace]; c != nil {
		c.plan(r, w, now, &f)
	}
	if w.kind == noFault || !w.scope.covers(r) || w.random.IntN(100) >= w.percent {
		return f
	}
	f.how = w.kind.String()
	switch w.kind {
	case unanswered:
		f.due = time.Time{}
	case failing:
		f.how, f.end = w.failure.String(), func(r *request) { r.fail(w.failure) }
	case mixed:
		failure := Failure(w.random.IntN(len(failures)))
		f.how, f.end = failure.String(), func(r *request) { r.fail(failure) }
	case lossy:
		err := []error{errReset, errClosed}[w.random.IntN(2)]
		f.end = func(r *request) { r.lose(err) }
	case masked:
		failure := w.failure
		if !failures[failure].ambiguous {
			failure = gatewayTimeout
		}
		f.end = func(r *request) { r.mask(failure) }
	case slow:
		f.due = now.Add(w.jitter(time.Minute))
	case refused:
		f.end = func(r *request) { r.cut(errRefused) }
	case reset:
		f.end = func(r *request) { r.cut(errReset) }
	case closed:
		f.end = func(r *request) { r.cut(errClosed) }
	case contradictory:
		f.end = (*request).contradict
	}
	return f
}

// planAnswers plans the end of each request that has no plan, in the order of waitingRequests.
func (w *world) planAnswers() {
	now := time.Now()
	for _, r := range w.server.waitingRequests() {
		if !r.noticed {
			r.noticed = true
			w.note("arrived: %s", r)
			w.checkArrival(r)
		}
		if r.plan == nil {
			f := w.faults.plan(r, now)
			r.plan = &f
			// A policy does not decide about a request that does not reach the server.
			if event := r.about(); event != nil && event.Reason == w.policy && f.how != refused.String() {
				f.how, f.end = "policy", func(r *request) { r.fail(policy) }
			}
		}
		if r.abandoned() {
			w.planLateAnswer(r, now)
		}
	}
}

// nextAnswer returns the request that is due first. If several are due at the same time, it returns
// the first of waitingRequests.
func (w *world) nextAnswer() (first *request, due time.Time) {
	for _, r := range w.server.waitingRequests() {
		if f := r.plan; !f.due.IsZero() && (first == nil || f.due.Before(due)) {
			first, due = r, f.due
		}
	}
	return first, due
}

// answer ends r as planned.
func (w *world) answer(r *request) {
	f := r.plan
	if r.abandoned() {
		w.coverage.add("answer", "late")
		if w.mustVanish(r) {
			f.how, f.end = "vanished", (*request).vanish
		}
	}
	f.end(r)
	w.component(r.component).etiquette.learn(r, f.how, w.faults.retryAfter)
	w.component(r.component).fairness.learn(r)
	w.note("%s: %s, %s", f.how, r, r.outcome)
	w.coverage.add("answer", f.how)
	w.coverage.add("outcome", r.outcome)
	if r.verb == "create" && w.server.namespaces[r.namespace] == terminating {
		w.terminated = time.Now()
	}
	w.acknowledge(r)
	w.checkTurns(r)
	w.runUntilIdle()
	w.checkStats(w.component(r.component))
}

// changeFaults is the step that sets the faults of the server.
func (w *world) changeFaults(args []int) {
	w.checkEndOfFaults()
	w.faults = faults{
		kind: faultKind(args[0] % int(faultKinds)), percent: args[4], latency: milliseconds(args[5]),
		scope:   scope{component: w.oneOf(args[1]), namespace: namespaceOf(args[2])},
		failure: Failure(args[6] % len(failures)),
		random:  rand.New(rand.NewPCG(w.script.Seed, uint64(args[8]))), began: time.Now(),
		retryAfter: time.Duration(args[7]) * time.Second,
	}
	if w.faults.scope.anyGroup = args[3] == 0; !w.faults.scope.anyGroup {
		w.faults.scope.group = groups[args[3]%2]
	}
	w.server.set(func() { w.server.retryAfter = args[7] })
	w.note("faults: %v", w.faults.kind)
	w.coverage.add("faults", w.faults.kind.String())
	w.replanAnswers()
}

// checkEndOfFaults checks the behaviour of the components during the faults that end now.
func (w *world) checkEndOfFaults() {
	was := &w.faults
	if was.kind == refused && was.percent == 100 && was.scope == everything {
		w.checkOutage(time.Since(was.began))
	}
	for _, c := range w.all {
		c.etiquette.attempts = 0
	}
}

// replanAnswers plans the ends of all waiting requests again, except late ones.
func (w *world) replanAnswers() {
	for _, r := range w.server.waitingRequests() {
		if r.plan != nil && !r.plan.late {
			r.plan = nil
		}
	}
	w.planAnswers()
}

// planLateAnswer plans the end of a request that its client has given up. The request takes effect
// within a minute, or never.
func (w *world) planLateAnswer(r *request, now time.Time) {
	f := r.plan
	if f.late {
		return
	}
	f.late = true
	if f.due.IsZero() || f.due.After(now.Add(time.Minute)) {
		f.due = now.Add(w.faults.jitter(time.Minute))
		f.how, f.end = "applied late", (*request).answer
	}
	if w.faults.random.IntN(3) == 0 {
		f.how, f.end = "vanished", (*request).vanish
	}
}

// mustVanish reports whether r is a create that would restore a deleted event with an old count,
// although its sender knows that the event was stored. The SDK cannot prevent that. It only happens
// if a create is under way for longer than the TTL of events, so the driver lets such a request
// vanish.
func (w *world) mustVanish(r *request) bool {
	if r.verb != "create" || r.stored == nil || r.stored.counted == 0 {
		return false
	}
	return !slices.ContainsFunc(w.server.storedEvents(), func(e *entry) bool {
		return e.live && e.namespace == r.namespace && e.name == r.name
	})
}
