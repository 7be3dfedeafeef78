// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
)

// group returns the name of the group of an occurrence. The oracle compares counts by group. The
// SDK may count the occurrences of a group in several Events. With a limit per object, all
// occurrences about an object are in one group, because they may be counted in one overflow series.
func (w *world) group(namespace, object, typ, reason string) string {
	if w.s.options.objectLimit > 0 {
		return strings.Join([]string{namespace, object}, "/")
	}
	return strings.Join([]string{namespace, object, typ, reason}, "/")
}

func (w *world) groupOf(e *eventsv1.Event) string {
	return w.group(e.Regarding.Namespace, e.Regarding.Name, e.Type, e.Reason)
}

// occurred returns the number of occurrences in a group until a time, and whether there was one at
// that time. With shared counts it adds up all processes, because all may count in an Event of the
// group. If their clocks differ, all occurrences of the other processes are counted, because their
// times cannot be compared.
func (w *world) occurred(of *process, group string, until time.Time) (n int64, then bool) {
	at := until.UnixMicro()
	for _, p := range w.processes {
		if p != of && !w.s.options.sharedCounts {
			continue
		}
		p.mu.Lock()
		times := p.times[group]
		i, _ := slices.BinarySearch(times, at+1)
		then = then || i > 0 && times[i-1] == at
		if p != of && w.s.options.clocksDiffer() {
			i = len(times)
		}
		p.mu.Unlock()
		n += int64(i)
	}
	return n, then
}

// checkStored checks an Event that is about to be stored.
func (w *world) checkStored(r *request, p *past, e *eventsv1.Event, shared bool) {
	if p.group != w.groupOf(e) {
		w.fail("an Event changes its key", "%v: %s instead of %s", r, w.groupOf(e), p.group)
	}
	if p.writer != r.from && !shared {
		w.fail("a process writes the Event of another", "%v: %s, that of %s", r, r.from, p.writer)
	}
	namespace := e.Regarding.Namespace
	if namespace == "" {
		namespace = "default"
	}
	if e.Name == "" || e.Namespace != namespace || e.Namespace != r.namespace || e.Reason == "" || len(e.Note) > 1024 ||
		e.Type != corev1.EventTypeNormal && e.Type != corev1.EventTypeWarning {
		w.fail("an Event that no API server would take", "%v: %+v", r, e)
	}
	count, last := countOf(e), lastOf(e)
	if e.EventTime.IsZero() {
		// client-go's correlator takes its own times, in whole seconds.
		now := time.Now().Add(r.from.ahead())
		n, _ := w.occurred(r.from, p.group, now)
		if count < 1 || count > n || last.After(now) {
			w.fail("a count is too high, or a time in the future", "%v: %d at %v, occurred %d", r, count, last, n)
		}
		return
	}
	w.checkLag(r, p, e)
	if e.Action == "" || e.ReportingController == "" || e.ReportingInstance == "" ||
		e.Series != nil && (e.Series.Count < 2 || e.Series.LastObservedTime.IsZero()) {
		w.fail("an Event that no API server would take", "%v: %+v", r, e)
	}
	if _, then := w.occurred(r.from, p.group, e.EventTime.Time); !then {
		w.fail("an eventTime at which nothing occurred", "%v: %v", r, e.EventTime)
	}
	n, then := w.occurred(r.from, p.group, last)
	if !then {
		w.fail("a last time at which nothing occurred", "%v: %v", r, last)
	}
	if count > n {
		w.fail("a count is higher than the occurrences by then", "%v: %d at %v, occurred %d", r, count, last, n)
	}
}

// checkShare checks the share of a process in the count of an Event.
func (w *world) checkShare(r *request, group string, count int64) {
	p := r.from
	p.mu.Lock()
	defer p.mu.Unlock()
	if recorded := int64(len(p.times[group])); count > recorded {
		w.fail("a share is higher than what its process recorded", "%v: %d of %d", r, count, recorded)
	}
}

// healthyWithin is the time after which a Warning of a healthy namespace must be on the server,
// even if other namespaces are sick.
const healthyWithin = 10 * time.Second

// checkLag checks that the first occurrence of a Warning in a healthy namespace has not waited too
// long.
func (w *world) checkLag(r *request, p *past, e *eventsv1.Event) {
	first := r.create && p.count == 0 && e.Type == corev1.EventTypeWarning
	if !first || !w.s.options.sick || e.Namespace == sickNamespace {
		return
	}
	r.from.mu.Lock()
	started := r.from.started
	r.from.mu.Unlock()
	recorded := e.EventTime.Add(-r.from.ahead())
	lag := time.Since(recorded)
	// With shared counts, a series whose name was taken is created again under another name, with
	// its old time.
	if r.from.jumped() != 0 || w.s.options.sharedCounts {
		return
	}
	if !started.IsZero() && started.Before(recorded) && lag > healthyWithin {
		w.fail("a Warning waits in a healthy namespace", "%v: %v", r, lag)
	}
}

// check checks the Stats of the process. All other goroutines must be blocked.
func (p *process) check() {
	st := p.c.stats()
	p.w.tracef("%s: observed %d recorded %d pending %d dropped %v unconfirmed %d", p, st.Observed, st.Recorded,
		st.Pending, nonzero(st.Dropped), st.Unconfirmed)
	tally := p.w.server.tally(p)
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.before
	p.before = st
	fail := func(promise string) {
		p.w.fail(promise, "%s: %+v; before %+v; on the server %v; dropped %v, of %v; returned %d",
			p, st, before, tally, p.droppedFor, p.droppedOf, p.returned)
	}
	var dropped, stored int64
	for reason, n := range st.Dropped {
		dropped += n
		if n != p.droppedFor[reason] {
			fail("Dropped is not what the drop handler was told")
		}
	}
	for group, n := range tally {
		stored += n
		if n > int64(len(p.times[group])) {
			fail("the server has more than was recorded")
		}
	}
	for _, one := range []struct {
		broken  bool
		promise string
	}{
		{st.Observed != p.returned, "Observed is not what was recorded"},
		{st.Observed != st.Recorded+st.Pending+dropped, "the accounts do not balance"},
		{st.Recorded < before.Recorded, "an account goes back"},
		{st.Observed < before.Observed, "an account goes back"},
		{st.Unconfirmed < before.Unconfirmed, "an account goes back"},
		{min(st.Pending, st.Recorded, st.Unconfirmed, dropped-st.Unconfirmed) < 0, "an account is impossible"},
		{st.Recorded > stored, "Recorded, but not on the server"},
		{st.Dropped[events.DropInvalid] > p.invalid, "Invalid is not what was invalid"},
		{st.Dropped[events.DropInvalid] < p.invalid && !p.ending, "Invalid is not what was invalid"},
		{(st.Pending == 0) != st.OldestPending.IsZero(), "OldestPending does not agree with Pending"},
	} {
		if one.broken {
			fail(one.promise)
		}
	}
	if p.w.s.options.subject == bySink && (st.Recorded > p.most || !p.killed && !p.ending && st.Recorded < p.least) {
		p.w.fail("Recorded is not the sum of the acknowledged deltas", "%s: %d, want %d to %d", p, st.Recorded, p.least, p.most)
	}
	valid := p.returned - p.invalid
	if p.w.s.options.watched && !p.killed && !p.ending {
		if p.handled != valid {
			p.w.fail("the occurrence handler misses some", "%s: %d of %d", p, p.handled, valid)
		}
		if p.c.watches && p.watched+st.WatcherDropped != valid {
			p.w.fail("a watcher misses some", "%s: %d and %d of %d", p, p.watched, st.WatcherDropped, valid)
		}
	}
	p.checkSnapshot(st)
	p.checkCauses(st)
	p.checkArrived()
}

// checkCauses checks that there are drops for a reason only if the schedule can cause them.
func (p *process) checkCauses(st events.Stats) {
	o := &p.w.s.options
	retryFor := o.retryFor
	if retryFor == 0 {
		retryFor = max(time.Hour, o.finish)
	}
	may := map[events.DropReason]bool{
		// check compares the number of invalid calls.
		events.DropInvalid:       true,
		events.DropStopped:       p.ending,
		events.DropAbandoned:     p.ending,
		events.DropCacheFull:     o.maxSeries > 0,
		events.DropRejected:      p.refused[answer422] || p.refused[denied] || p.refused[answer403] && o.subject == byAdapter,
		events.DropNamespaceGone: p.refused[terminating] || p.refused[noNamespace],
		events.DropTooOld:        time.Since(p.w.began)+p.jumped() >= retryFor,
		events.DropFiltered:      o.subject == byTee || o.subject == byLegacy,
		events.DropSpamFilter:    o.correlates(),
		events.DropQueueFull:     o.correlates() && p.w.s.loops(),
		events.DropUnselected:    p.hasSelector,
	}
	for reason, n := range st.Dropped {
		if n > 0 && !may[reason] {
			p.w.fail("a drop without its cause", "%s: %s: %+v", p, reason, st)
		}
	}
}

// checkSnapshot checks that the counts by labels add up to the totals.
func (p *process) checkSnapshot(st events.Stats) {
	sum := events.LabeledCounts{}
	for _, c := range p.c.snapshot(100).Counts {
		sum = sum.Add(c)
		var dropped int64
		for _, n := range c.Dropped {
			dropped += n
		}
		if c.Observed != c.Recorded+c.Pending+dropped {
			p.w.fail("the accounts of a label do not balance", "%s: %+v", p, c)
		}
	}
	if sum.Observed != st.Observed || sum.Recorded != st.Recorded || sum.Pending != st.Pending {
		p.w.fail("the accounts by labels do not add up", "%s: %+v, %+v", p, sum, st)
	}
}

// checkArrived checks that no Event and no count waits longer than it may after the end of the
// faults.
func (p *process) checkArrived() {
	// After a suspension the timers of the test's clock are late.
	if p.started.IsZero() || p.killed || p.ending || p.jumped() != 0 || p.w.s.options.correlates() {
		return
	}
	now := time.Now().Add(p.ahead())
	settled := p.w.isCalm(p.w.s.options.settlesWithin())
	for _, one := range p.c.snapshot(100).Waiting {
		old := !one.PendingSince.After(now.Add(-arrivesWithin))
		switch {
		case p.w.isCalm(arrivesWithin) && old && one.Recorded == 0:
			p.w.fail("an Event is not on the server in time", "%s: %+v", p, one)
		case settled && !one.PendingSince.After(now.Add(-p.w.s.options.settlesWithin())):
			p.w.fail("a count is not on the server in time", "%s: %+v", p, one)
		}
	}
}

// checkEnd compares the Stats of a process that has ended with the counts on the server.
func (p *process) checkEnd() {
	p.check()
	st := p.c.stats()
	tally := p.w.server.tally(p)
	p.mu.Lock()
	defer p.mu.Unlock()
	if st.Pending != 0 {
		p.w.fail("something is pending after the end", "%s: %+v", p, st)
		return
	}
	correlated := p.w.s.options.correlates()
	var stored int64
	for _, n := range tally {
		stored += n
	}
	if stored > st.Recorded+st.Unconfirmed && !correlated {
		p.w.fail("the server has more than Recorded and Unconfirmed", "%s: %d; %+v; %v", p, stored, st, tally)
	}
	for group, times := range p.times {
		recorded := int64(len(times)) - p.droppedOf[group]
		if tally[group] < recorded {
			p.w.fail("recorded, but not on the server", "%s: %s: %d, want %d", p, group, tally[group], recorded)
		}
		if tally[group] > recorded+st.Unconfirmed && !correlated {
			p.w.fail("the server has what was dropped", "%s: %s: %d, want %d and up to %d", p, group, tally[group],
				recorded, st.Unconfirmed)
		}
	}
}

func nonzero(all map[events.DropReason]int64) map[events.DropReason]int64 {
	some := map[events.DropReason]int64{}
	for reason, n := range all {
		if n != 0 {
			some[reason] = n
		}
	}
	return some
}
