// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// weather decides what becomes of requests, as they arrive.
type weather struct {
	kind    weatherKind
	scope   scope
	percent int // of the requests in scope that it strikes
	latency time.Duration
	failure apiserver.Failure
	random  *rand.Rand

	retryAfter time.Duration // what a server under pressure says
	began      time.Time
}

// weatherKind is what happens to the requests that are struck; all others are
// answered.
type weatherKind int

const (
	fair    weatherKind = iota
	calm                // nothing is answered until the weather changes
	failing             // one failure
	stormy              // failures of all kinds
	lossy               // handled, and the answer is lost
	masked              // handled, and a failure is answered
	slow                // answered long after the client has given up, if at all
	refused             // no connection comes about
	reset               // connections break
	weatherKinds
)

func (k weatherKind) String() string {
	return [...]string{"fair", "calm", "failing", "stormy", "lossy", "masked", "slow", "refused", "reset"}[k]
}

// scope is which requests weather is about: all those of a component, of a
// namespace, of an API group; empty is any.
type scope struct {
	component, namespace, group string
	except                      string // all namespaces but this one
	anyGroup                    bool   // group "" is core/v1
}

var everything = scope{anyGroup: true}

func (s scope) covers(r *apiserver.Request) bool {
	if s.except != "" && (r.Namespace() == "" || r.Namespace() == s.except) {
		return false
	}
	return (s.component == "" || s.component == r.Component()) && (s.namespace == "" || s.namespace == r.Namespace()) &&
		(s.anyGroup || s.group == r.Group())
}

// fate is what is to become of a request, and when.
type fate struct {
	due  time.Time // zero: nobody knows
	how  string
	end  func(*apiserver.Request)
	late bool // decided again since its client gave up
}

func clearSky(random *rand.Rand) weather {
	return weather{kind: fair, latency: 20 * time.Millisecond, random: random}
}

// moment is a time a little random, so that no two things happen at once.
func (w *weather) moment(d time.Duration) time.Duration {
	return d/2 + time.Duration(w.random.Int64N(int64(d)+1)) + 1
}

func (w *weather) fate(r *apiserver.Request, now time.Time) fate {
	f := fate{due: now.Add(w.moment(w.latency)), how: "answered", end: (*apiserver.Request).Answer}
	if w.kind == fair || !w.scope.covers(r) || w.random.IntN(100) >= w.percent {
		return f
	}
	f.how = w.kind.String()
	switch w.kind {
	case calm:
		f.due = time.Time{}
	case failing:
		f.how, f.end = w.failure.String(), func(r *apiserver.Request) { r.Fail(w.failure) }
	case stormy:
		failures := apiserver.Failures()
		failure := failures[w.random.IntN(len(failures))]
		f.how, f.end = failure.String(), func(r *apiserver.Request) { r.Fail(failure) }
	case lossy:
		f.end = func(r *apiserver.Request) { r.Lose(apiserver.ErrReset) }
	case masked:
		failure := w.failure
		if !failure.IsAmbiguous() {
			failure = apiserver.GatewayTimeout
		}
		f.end = func(r *apiserver.Request) { r.Mask(failure) }
	case slow:
		f.due = now.Add(w.moment(time.Minute))
	case refused:
		f.end = func(r *apiserver.Request) { r.Break(apiserver.ErrRefused) }
	case reset:
		f.end = func(r *apiserver.Request) { r.Break(apiserver.ErrReset) }
	}
	return f
}

// plan gives each request that has none a fate, in the order of what they ask.
func (w *world) plan() {
	now := time.Now()
	for _, r := range w.server.Waiting() {
		if !w.arrived[r] {
			w.arrived[r] = true
			w.note("arrived: %s", r)
			w.checkArrival(r)
		}
		if w.fates[r] == nil {
			f := w.weather.fate(r, now)
			w.fates[r] = &f
			// A server that takes no connections has no policy either.
			if event := r.Event(); event != nil && event.Reason == w.policy && f.how != refused.String() {
				f.how, f.end = "policy", func(r *apiserver.Request) { r.Fail(apiserver.Policy) }
			}
		}
		if r.GaveUp() {
			w.planLate(r, now)
		}
	}
}

// nextAnswer is the request that is due first; of those due at once the one that is
// first by what it asks.
func (w *world) nextAnswer() (first *apiserver.Request, due time.Time) {
	for _, r := range w.server.Waiting() {
		f := w.fates[r]
		if !f.due.IsZero() && (first == nil || f.due.Before(due)) {
			first, due = r, f.due
		}
	}
	return first, due
}

// answer lets the fate of r come true.
func (w *world) answer(r *apiserver.Request) {
	f := w.fates[r]
	delete(w.fates, r)
	delete(w.arrived, r)
	if r.GaveUp() {
		w.census.add("fate", "late")
		if w.mustVanish(r) {
			f.how, f.end = "vanished", (*apiserver.Request).Vanish
		}
	}
	f.end(r)
	w.component(r.Component()).manners.learn(r, f.how, w.weather.retryAfter)
	w.note("%s: %s, %s", f.how, r, r.Outcome())
	w.census.add("fate", f.how)
	w.census.add("outcome", r.Outcome())
	if r.Verb() == "create" && w.states[r.Namespace()] == apiserver.Terminating {
		w.terminated = time.Now()
	}
	w.book(r)
	w.settle()
	w.checkBooks(w.component(r.Component()))
}

// changeWeather is the step.
func (w *world) changeWeather(args []int) {
	w.checkWeather()
	failures := apiserver.Failures()
	w.weather = weather{
		kind: weatherKind(args[0] % int(weatherKinds)), percent: args[4], latency: milliseconds(args[5]),
		scope:   scope{component: w.oneOf(args[1]), namespace: placeOf(args[2])},
		failure: failures[args[6]%len(failures)],
		random:  rand.New(rand.NewPCG(w.script.Seed, uint64(args[8]))), began: time.Now(),
		retryAfter: time.Duration(args[7]) * time.Second,
	}
	if w.weather.scope.anyGroup = args[3] == 0; !w.weather.scope.anyGroup {
		w.weather.scope.group = groups[args[3]%2]
	}
	w.server.SetRetryAfter(args[7])
	w.note("weather: %v", w.weather.kind)
	w.census.add("weather", w.weather.kind.String())
	w.replan()
}

// checkWeather looks back at the weather that is over.
func (w *world) checkWeather() {
	was := &w.weather
	if was.kind == refused && was.percent == 100 && was.scope == everything {
		w.checkOutage(time.Since(was.began))
	}
	for _, c := range w.all {
		c.manners.knocked = 0
	}
}

// replan gives the requests that wait without an end in sight a new fate.
func (w *world) replan() {
	for r, f := range w.fates {
		if !f.late {
			delete(w.fates, r)
		}
	}
	w.plan()
}

// planLate decides about a request that its client has given up: it lands within
// a minute, or never.
func (w *world) planLate(r *apiserver.Request, now time.Time) {
	f := w.fates[r]
	if f.late {
		return
	}
	f.late = true
	if f.due.IsZero() || f.due.After(now.Add(time.Minute)) {
		f.due = now.Add(w.weather.moment(time.Minute))
		f.how, f.end = "landed late", (*apiserver.Request).Answer
	}
	if w.weather.random.IntN(3) == 0 {
		f.how, f.end = "vanished", (*apiserver.Request).Vanish
	}
}

// mustVanish tells whether r would bring back an event that its writer knew to be
// stored and that has gone since, with an old count. Nothing in the API can
// prevent that; it takes a create that is under way for longer than events live.
func (w *world) mustVanish(r *apiserver.Request) bool {
	if r.Verb() != "create" || w.acked[keyOf(r)] == 0 {
		return false
	}
	return !slices.ContainsFunc(w.server.Objects(), func(o apiserver.Object) bool {
		return o.Live && o.Namespace == r.Namespace() && o.Name == r.Name()
	})
}
