// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// schedule is everything that follows from a seed. It has only data, so that it can be printed and
// shortened.
type schedule struct {
	seed    uint64
	options options
	// steps are in the order of their times.
	steps []step
	// faults has the faults of the first requests, in the order of the requests. Later requests
	// have none.
	faults []fault
}

// options are the options of all processes, and of the server. A zero value stands for the SDK's
// default.
type options struct {
	subject      subject
	sharedCounts bool
	maxSeries    int
	maxInFlight  int
	objectLimit  int
	writeTimeout time.Duration
	drainTimeout time.Duration
	finish       time.Duration
	refresh      time.Duration
	retryFor     time.Duration
	// notes is 0 for NotesFirst and 1 for NotesLatest. A greater n stands for NotesDistinct(n).
	notes int
	// ahead has the times by which the clocks of the processes are ahead. They are negative for
	// clocks that are behind.
	ahead [mostProcesses]time.Duration
	// serverAhead is the time by which the server's clock is ahead.
	serverAhead time.Duration
	// manners has the latencies and the rate limits of the server in each namespace.
	manners [len(places)]manner
	// hostile makes handlers and loggers panic, and makes handlers record.
	hostile bool
	// limiter gives the client a rate limiter that panics, refuses and waits.
	limiter       bool
	watched       bool
	doublingsOnly bool
	// sick means that only requests in sickNamespace have faults.
	sick bool
	// shutdownLast ends the processes by Shutdown and not by Drain.
	shutdownLast bool
	// ttl is the time for which the server keeps Events. Zero means for ever.
	ttl time.Duration
	// flusher is the behaviour of the sink when it is flushed.
	flusher flusherKind
}

// mostProcesses is the greatest number of processes in a schedule.
const mostProcesses = 3

// places are the namespaces of all Events.
var places = [...]string{"a", "b", "default"}

// clocksDiffer reports whether the clock of any process is ahead or behind.
func (o *options) clocksDiffer() bool { return o.ahead != [mostProcesses]time.Duration{} }

// manner is the behaviour of the server in one namespace until the faults end. A slow webhook may
// delay all writes, or only creates. A rate limit of the namespace may refuse every second request.
type manner struct {
	// create and patch are added to the latency of such a request.
	create  time.Duration
	patch   time.Duration
	limited bool
}

// action is the kind of a step.
type action string

const (
	begin     action = "start"
	emit      action = "emit"
	loop      action = "emit in a hot loop"
	garbage   action = "emit garbage"
	flush     action = "flush"
	look      action = "look"
	unselect  action = "unselect"
	selectAll action = "select all"
	fail      action = "fails from now on"
	mend      action = "fails no more"
	remove    action = "somebody deletes"
	annotate  action = "somebody annotates"
	calm      action = "all is well from now on"
	drain     action = "drain"
	shutdown  action = "shutdown"
	leave     action = "context ends, nothing else"
	kill      action = "kill"
	depart    action = "context ends, Shutdown follows"
	beside    action = "drain for an hour, and shutdown beside it"
	// suspend moves the clock of a process ahead while the process does nothing.
	suspend action = "suspend"
)

// step is one action of a schedule, at a time since its beginning.
type step struct {
	at      time.Duration
	do      action
	process int
	// key is the object and the reason of the occurrences to emit.
	key key
	// n is the number of occurrences, or the number of the Event or reason that the action is
	// about.
	n int
	// bound bounds a flush or a drain. It is also the duration of a hot loop and of a suspension.
	bound time.Duration
	// fault is the fault of requests after the action fail.
	fault faultKind
	// where is the namespace of the actions fail and mend. If it is empty, they are about all
	// namespaces.
	where string
	// aside makes the action emit record in a goroutine of its own.
	aside bool
}

// key is an object and a reason, as indexes of objects and reasons.
type key struct{ object, reason int }

func (s step) String() string {
	text := fmt.Sprintf("%12v process %d: %s", s.at, s.process, s.do)
	switch s.do {
	case emit:
		return fmt.Sprintf("%s %v ×%d, beside the others: %v", text, s.key, s.n, s.aside)
	case loop:
		return fmt.Sprintf("%s %v ×%d in %v", text, s.key, s.n, s.bound)
	case flush, drain, beside, suspend:
		return fmt.Sprintf("%s, %v", text, s.bound)
	case fail:
		return fmt.Sprintf("%12v namespace %q: each request: %s", s.at, s.where, s.fault)
	case remove, annotate:
		return fmt.Sprintf("%12v %s Event %d", s.at, s.do, s.n)
	case calm, mend, look:
		return fmt.Sprintf("%12v %s", s.at, s.do)
	}
	return text
}

func (s *schedule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, options %+v\n", s.seed, s.options)
	for _, step := range s.steps {
		fmt.Fprintln(&b, step)
	}
	for i, f := range s.faults {
		if f.kind != none {
			fmt.Fprintf(&b, "  request %d: %s, latency %v, later %v\n", i, f.kind, f.latency, f.later)
		}
	}
	return b.String()
}

// picker makes random choices.
type picker struct{ *rand.Rand }

func (p picker) chance(percent int) bool { return p.IntN(100) < percent }

func (p picker) upTo(d time.Duration) time.Duration {
	return p.Int64NDuration(d/time.Millisecond+1) * time.Millisecond
}

func (p picker) Int64NDuration(d time.Duration) time.Duration {
	return time.Duration(p.Int64N(int64(d)))
}

func pick[T any](p picker, all ...T) T { return all[p.IntN(len(all))] }

// newSchedule returns the schedule of a seed.
func newSchedule(seed uint64) *schedule {
	p := picker{rand.New(rand.NewPCG(seed, 47))}
	s := &schedule{seed: seed, options: newOptions(p)}
	span := pick(p, 3*time.Second, 30*time.Second, 30*time.Second, 5*time.Minute, 40*time.Minute, 4*time.Hour)
	processes := pick(p, 1, 1, 1, 2)
	if s.options.sharedCounts {
		processes = 1 + p.IntN(mostProcesses)
	}
	add := func(one step) { s.steps = append(s.steps, one) }
	keys := newKeys(p)

	from := time.Duration(0)
	for i := range processes {
		flushes := 30 // percent
		if p.chance(90) {
			add(step{at: from + p.upTo(span/20), do: begin, process: i})
		} else {
			// Without Start only Flush writes.
			flushes = 80
		}
		for range 1 + p.IntN(8) {
			s.addOccurrences(p, i, pick(p, keys...), from, span)
		}
		if p.chance(2) {
			s.addHotLoop(p, i, pick(p, keys...), from, span)
		}
		if p.chance(20) {
			add(step{at: from + p.upTo(span), do: garbage, process: i})
		}
		if p.chance(flushes) {
			bound := pick(p, 100*time.Millisecond, 2*time.Second, time.Minute)
			add(step{at: from + p.upTo(span), do: flush, process: i, bound: bound})
		}
		if p.chance(5) && !s.options.sharedCounts {
			bound := pick(p, time.Minute, time.Hour)
			add(step{at: from + p.upTo(span), do: suspend, process: i, bound: bound})
		}
		if p.chance(10) {
			at := p.upTo(span)
			add(step{at: from + at, do: unselect, process: i, n: p.IntN(len(reasons))})
			add(step{at: from + at + p.upTo(span), do: selectAll, process: i})
		}
		// The other processes end after the last step.
		if p.chance(60) {
			end := from + span/4 + p.upTo(span)
			bound := pick(p, time.Millisecond, 50*time.Millisecond, time.Second, 5*time.Second, time.Minute)
			how := pick(p, drain, drain, beside, shutdown, depart, leave, kill, kill)
			add(step{at: end, do: how, process: i, bound: bound})
			// Either the next process begins when this one ends, or both run at the same time.
			if p.chance(60) {
				from = end
			}
		}
	}
	length := from + span
	for range 1 + p.IntN(5) {
		add(step{at: p.upTo(length), do: look})
	}
	s.addFaults(p, length)
	if p.chance(50) {
		s.addCalm(p, length)
	}
	slices.SortStableFunc(s.steps, func(a, b step) int { return int(a.at - b.at) })
	return s
}

// loops reports whether a process is in a hot loop at some time.
func (s *schedule) loops() bool {
	return slices.ContainsFunc(s.steps, func(one step) bool { return one.do == loop })
}

// newKeys returns the keys of a schedule. They are few, so that each occurs several times.
func newKeys(p picker) (keys []key) {
	for range 1 + p.IntN(6) {
		keys = append(keys, key{object: p.IntN(len(objects)), reason: p.IntN(len(reasons))})
	}
	return keys
}

// addOccurrences adds one or more bursts of occurrences of k, with pauses between them.
func (s *schedule) addOccurrences(p picker, process int, k key, from, span time.Duration) {
	at := p.upTo(span)
	n := pick(p, 1, 1, 1, 2, 3, 5, 10, 60)
	times := pick(p, 1, 1, 2, 5, 12)
	pause := p.upTo(span / 5)
	for range times {
		aside := p.chance(30)
		s.steps = append(s.steps, step{at: from + at, do: emit, process: process, key: k, n: n, aside: aside})
		at += pause
	}
}

// addHotLoop adds a loop that records more than 10,000 occurrences of k a second. One occurrence
// comes earlier, so that the server may have the Event when the loop begins.
func (s *schedule) addHotLoop(p picker, process int, k key, from, span time.Duration) {
	at := from + p.upTo(span)
	bound := pick(p, 100*time.Millisecond, time.Second, 2*time.Second)
	n := pick(p, 12_000, 25_000)
	s.steps = append(s.steps,
		step{at: from + p.upTo(at-from), do: emit, process: process, key: k, n: 1},
		step{at: at, do: loop, process: process, key: k, n: n, bound: bound})
}

// addFaults adds faults of single requests, times in which all requests fail, and changes by other
// clients.
func (s *schedule) addFaults(p picker, length time.Duration) {
	percent := pick(p, 0, 5, 25, 60)
	kinds := single
	if p.chance(50) {
		kinds = []faultKind{pick(p, single...), pick(p, single...)}
	}
	// These faults are about the whole server, so no namespace has them alone.
	whole := []faultKind{refused, answer401, notServed}
	may := func(kind faultKind) bool { return !s.options.sick || !slices.Contains(whole, kind) }
	for range 60 {
		f := fault{kind: none, latency: p.upTo(20 * time.Millisecond)}
		if p.chance(5) {
			f.latency = p.upTo(3 * time.Second)
		}
		if p.chance(percent) {
			f.kind = pick(p, kinds...)
			if !may(f.kind) {
				f.kind = answer500
			}
			f.later = p.upTo(pick(p, 10*time.Millisecond, 10*time.Second, 10*time.Minute))
			if f.kind.isLate() {
				f.later = p.upTo(longestLate)
			}
		}
		s.faults = append(s.faults, f)
	}
	for range pick(p, 0, 0, 1, 2) {
		begins := p.upTo(length)
		where := pick(p, "", "", "a", "b", "default")
		kind := pick(p, lasting...)
		if !may(kind) {
			kind = hangBefore
		}
		s.steps = append(s.steps,
			step{at: begins, do: fail, fault: kind, where: where},
			step{at: begins + p.upTo(length/2), do: mend, where: where})
	}
	if p.chance(30) {
		for range 1 + p.IntN(4) {
			s.steps = append(s.steps, step{at: p.upTo(length), do: pick(p, remove, remove, annotate), n: p.IntN(8)})
		}
	}
}

// addCalm ends all faults, and checks later that everything is written.
func (s *schedule) addCalm(p picker, length time.Duration) {
	s.steps = append(s.steps, step{at: length, do: calm}, step{at: length + arrivesWithin, do: look})
	if p.chance(50) {
		s.steps = append(s.steps, step{at: length + s.options.settlesWithin(), do: look})
	}
}

// longestLate is the longest time for which a call of the sink outlives its context.
const longestLate = 5 * time.Second

// arrivesWithin is the time after the last fault within which the server must have every Event. A
// request that hangs takes 30 seconds, and the back-off after it takes 30 seconds, too. The rest is
// for a probe that waits for its turn.
const arrivesWithin = 2 * time.Minute

// settlesWithin returns the time after the last fault within which the server must have every
// count.
func (o *options) settlesWithin() time.Duration {
	if o.refresh > 0 {
		return o.refresh + 2*arrivesWithin
	}
	return 30*time.Minute + 2*arrivesWithin
}

func newOptions(p picker) (o options) {
	o.subject = pick(p, bySink, bySink, bySink, bySink, bySink, byTee, byClient, byCoreClient, byAdapter, byLegacy)
	o.sharedCounts = o.subject != byLegacy && o.subject != byAdapter && p.chance(25)
	if p.chance(15) {
		o.maxSeries = 1 + p.IntN(6)
	}
	if p.chance(15) {
		o.maxInFlight = 1 + p.IntN(4)
	}
	if o.subject != byLegacy && p.chance(10) {
		o.objectLimit = 1 + p.IntN(3)
	}
	if p.chance(30) {
		o.writeTimeout = pick(p, 500*time.Millisecond, 2*time.Second, 10*time.Second)
	}
	if p.chance(20) {
		o.drainTimeout = pick(p, 200*time.Millisecond, 2*time.Second, 20*time.Second)
	}
	if p.chance(20) {
		o.finish = pick(p, 2*time.Second, time.Minute, time.Hour)
	}
	if p.chance(20) {
		o.refresh = pick(p, 10*time.Second, 5*time.Minute)
	}
	if p.chance(15) {
		o.retryFor = max(o.finish, 6*time.Minute) + pick(p, time.Second, 10*time.Minute)
	}
	if p.chance(20) {
		o.notes = 1 + p.IntN(3)
	}
	if p.chance(15) {
		o.ahead[p.IntN(mostProcesses)] = pick(p, -24*time.Hour, -10*time.Minute, -30*time.Second, 30*time.Second,
			2*time.Minute, 24*time.Hour)
	}
	if p.chance(10) {
		o.serverAhead = pick(p, -time.Hour, time.Hour)
	}
	o.hostile = p.chance(15)
	o.watched = p.chance(15)
	o.doublingsOnly = p.chance(10)
	o.sick = p.chance(25)
	if p.chance(20) {
		o.manners = newManners(p, o.sick)
	}
	o.limiter = o.subject.hasClient() && p.chance(20)
	o.shutdownLast = p.chance(30)
	if p.chance(30) {
		o.ttl = pick(p, time.Minute, 10*time.Minute, time.Hour)
	}
	if o.subject == bySink && p.chance(20) {
		o.flusher = pick(p, flushes, flushFails, flushHangs, flushOutlives, flushPanics)
	}
	return o
}

// newManners returns the manners of all namespaces. A healthy namespace has no rate limit, and none
// of the longest latencies.
func newManners(p picker, sick bool) (all [len(places)]manner) {
	latency := func(healthy bool) time.Duration {
		if healthy {
			return pick(p, 0, 20*time.Millisecond, 100*time.Millisecond)
		}
		return pick(p, 0, 20*time.Millisecond, 100*time.Millisecond, 800*time.Millisecond, 1500*time.Millisecond)
	}
	for i, namespace := range places {
		healthy := sick && namespace != sickNamespace
		all[i] = manner{
			create:  latency(healthy),
			patch:   latency(healthy),
			limited: !healthy && p.chance(50),
		}
	}
	return all
}
