// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
)

const (
	// hold is the time for which a failure must last before it is reported.
	hold = time.Minute
	// together is the time within which Events that belong to one failure begin. The kubelet
	// reports a failed pull again after 10 to 20 seconds, with the reason BackOff.
	together = 30 * time.Second
	// quiet is the silence after which an incident is over. It is longer than the longest pause of
	// the kubelet between two attempts, which is five minutes.
	quiet = 10 * time.Minute
	// lateQuiet is this silence while the writer of an Event may write a count up to 30 minutes
	// late, see [eventview.Event.Ended].
	lateQuiet = 36 * time.Minute
	// memory is the time for which an incident that is over is remembered. API servers keep Events
	// for an hour by default, so a program that starts later does not know older Events either.
	memory = time.Hour
	// skew is the time by which the clocks of writers may be ahead.
	skew = time.Minute

	// maxIncidents is the maximum number of incidents in memory, and maxPlaces the maximum number
	// of places. When it is exceeded, the oldest ones are forgotten.
	maxIncidents = 1024
	maxPlaces    = 1 << 20
	// maxCompared is the number of incidents, the newest ones, with which a new note is compared.
	maxCompared = 16
	// minWords is the minimum number of words of a note that is compared with notes about other
	// families. Shorter notes, such as "context deadline exceeded", resemble too many others.
	minWords = 4
)

// Tracker turns Events into incidents. Make one with [New]. A Tracker is not safe for concurrent
// use. It reads no clock, starts no goroutine and does no I/O.
type Tracker struct {
	// now is the time of the last call of Tick.
	now time.Time
	// incidents are all incidents and suspicions, by their number.
	incidents map[uint32]*entry
	// number is the number of the newest incident. Numbers begin at 1.
	number uint32
	// roots maps the key of a cause, the tail of a note and the ID to the number of an incident.
	roots map[uint64]uint32
	// places maps Events, homes and members to incidents. The function hash makes the keys.
	places map[uint64]place
	// changes are the newest changes of objects that are no pods, as hints.
	changes []change
}

// New returns a tracker without incidents.
func New() *Tracker {
	return &Tracker{
		incidents: map[uint32]*entry{},
		roots:     map[uint64]uint32{},
		places:    map[uint64]place{},
	}
}

// Compare orders Events by their first occurrence, for [slices.SortFunc]. Pass the Events of a list
// to [Tracker.Observe] in this order.
//
// Within one second, Events that say why something failed come first, because most writers store
// times in whole seconds. Then the names decide, because they end with the time in nanoseconds.
func Compare(a, b eventview.Event) int {
	last := func(e *eventview.Event) int {
		if isTrouble(e) && causeOf(e).vague {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.First.Unix(), b.First.Unix()),
		cmp.Compare(last(&a), last(&b)),
		cmp.Compare(a.Namespace, b.Namespace),
		cmp.Compare(a.Name, b.Name),
	)
}

// Observe records one reading of an Event, of any type. Readings may be repeated. An Event that was
// deleted needs no call.
func (t *Tracker) Observe(e *eventview.Event) {
	first, last := t.times(e)
	h := homesOf(e)
	if !isTrouble(e) {
		t.recover(e, &h, last)
		t.noteChange(e, first)
		return
	}
	if last.IsZero() || last.Before(t.now.Add(-memory)) {
		return
	}
	inc := t.at(eventKey(e))
	if inc == nil {
		inc = t.join(e, &h, first)
	}
	t.add(inc, e, &h, first, last)
}

// join returns the incident to which a new Event belongs. If there is none, it begins.
func (t *Tracker) join(e *eventview.Event, h *homes, first time.Time) *entry {
	c := causeOf(e)
	id := idOf(e, &c, first)
	inc := t.find(e, &c, h, first)
	if inc == nil {
		inc = t.incidents[t.roots[id]]
	}
	if inc != nil && !inc.Opened && inc.Sick == 0 && first.Sub(inc.Last) > hold && !t.isMember(inc, e) {
		// The suspicion was wrong, because its objects have recovered.
		t.forget(inc)
		inc = nil
	}
	switch {
	case inc == nil:
		inc = t.begin(e, &c, id, first)
	case inc.Vague && !c.vague:
		inc.describe(e, &c)
		t.addVariant(inc, &c)
	}
	return inc
}

// times returns the times of the first and the newest occurrence. A time in the future is taken for
// now, because the clock of its writer is ahead.
func (t *Tracker) times(e *eventview.Event) (first, last time.Time) {
	first = e.First
	last = e.Last
	if limit := t.now.Add(skew); !t.now.IsZero() && last.After(limit) {
		last = t.now
		if first.After(last) {
			first = last
		}
	}
	return first, last
}

// find returns the incident of an Event, or nil. The package documentation has the rules.
func (t *Tracker) find(e *eventview.Event, c *cause, h *homes, first time.Time) *entry {
	root := t.incidents[t.roots[c.key]]
	if root != nil && !root.takes(c, first) {
		root = nil
	}
	if root != nil && !c.vague {
		return root
	}
	for _, home := range h.look {
		inc := t.at(home)
		switch {
		case inc == nil:
		case c.byReason && inc.Canonical == c.reason,
			c.vague && inc.lasts(first):
			return inc
		case c.vague, !inc.lasts(first):
		case inc.sameOperation(e):
			if inc.resembles(c, false) {
				t.addVariant(inc, c)
				return inc
			}
		case inc.Vague && inc.Family == familyOf(&e.Regarding):
			return inc
		case t.together(home, first) && (inc.Vague || inc.Controller != kubelet || e.Controller != kubelet):
			return inc
		}
	}
	if inc := t.at(h.node); inc != nil && inc.lasts(first) && t.together(h.node, first) {
		return inc
	}
	if c.byReason {
		return root
	}
	if inc := t.incidents[t.roots[c.Tail]]; inc != nil && inc.lasts(first) {
		t.addVariant(inc, c)
		return inc
	}
	if inc := t.elsewhere(c, first); inc != nil {
		t.addVariant(inc, c)
		return inc
	}
	return nil
}

// elsewhere returns the newest incident of other families whose notes resemble that of the cause.
func (t *Tracker) elsewhere(c *cause, first time.Time) *entry {
	if len(c.Words) < minWords {
		return nil
	}
	for age := range uint32(maxCompared) {
		inc := t.incidents[t.number-age]
		if inc != nil && !inc.Vague && inc.Canonical == c.reason && inc.lasts(first) && inc.resembles(c, true) {
			return inc
		}
	}
	return nil
}

// at returns the incident at a place, or nil.
func (t *Tracker) at(key uint64) *entry { return t.incidents[t.places[key].Incident] }

// together reports whether an Event at a place has begun at the same time.
func (t *Tracker) together(key uint64, first time.Time) bool {
	return first.Sub(t.places[key].time()).Abs() <= together
}

func (t *Tracker) addVariant(inc *entry, c *cause) {
	if len(inc.Variants) < maxVariants {
		inc.Variants = append(inc.Variants, variant{
			Key:   c.key,
			Shape: c.shape,
		})
		t.roots[c.key] = inc.Number
		if c.Tail != 0 {
			t.roots[c.Tail] = inc.Number
		}
	}
}

// begin adds a suspicion.
func (t *Tracker) begin(e *eventview.Event, c *cause, id uint64, first time.Time) *entry {
	if len(t.incidents) >= maxIncidents {
		t.forgetOldest()
	}
	t.number++
	inc := &entry{
		Number: t.number,
		Key:    id,
		Family: familyOf(&e.Regarding),
	}
	inc.ID = fmt.Sprintf("%016x", id)
	inc.First = first
	inc.FirstObject = objectOf(e)
	inc.describe(e, c)
	t.incidents[inc.Number] = inc
	t.roots[id] = inc.Number
	t.addVariant(inc, c)
	return inc
}

// add records an Event of an incident.
func (t *Tracker) add(inc *entry, e *eventview.Event, h *homes, first, last time.Time) {
	if first.Before(inc.First) {
		inc.First = first
		inc.FirstObject = objectOf(e)
	}
	inc.Grown = latest(inc.Grown, first)
	if last.After(inc.Last) {
		inc.State = cmp.Or(inc.State, Open)
		if inc.State == Over {
			inc.State = Open
			inc.Reported = 0
		}
		inc.Last = last
	}
	if e.Type != corev1.EventTypeNormal && (canonical[e.Reason] != unhealthy || last.Sub(first) >= hold) {
		inc.Serious = true
	}
	t.put(eventKey(e), place{Incident: inc.Number, At: seconds(last)})
	for _, key := range h.register {
		t.put(key, place{Incident: inc.Number, At: seconds(first)})
	}
	t.addMember(inc, e, last)
}

// addMember counts the object of an Event, unless it is counted already.
func (t *Tracker) addMember(inc *entry, e *eventview.Event, last time.Time) {
	key := memberKey(inc, e)
	m, known := t.places[key]
	if known && !m.time().Before(last.Truncate(time.Second)) {
		return
	}
	if !known {
		inc.Objects++
	}
	if !known || m.Recovered {
		inc.Sick++
	}
	// A node that is away says so once, and kube-scheduler counts late.
	late := e.Series && e.Count > 1 || e.Reason == "NodeNotReady" && e.Regarding.Kind == nodeKind
	if late && (!m.Late || m.Recovered) {
		inc.Late++
	}
	t.put(key, place{
		Incident: inc.Number,
		At:       seconds(last),
		Relapsed: m.Recovered || m.Relapsed,
		Late:     late || m.Late && !m.Recovered,
	})
}

func (t *Tracker) isMember(inc *entry, e *eventview.Event) bool {
	_, known := t.places[memberKey(inc, e)]
	return known
}

// recover notes that a component has got further with an object. A failure from which all objects
// recover within a minute is no incident.
func (t *Tracker) recover(e *eventview.Event, h *homes, last time.Time) {
	if isAttempt(e) {
		return
	}
	for _, home := range h.look {
		inc := t.at(home)
		if inc == nil {
			continue
		}
		key := memberKey(inc, e)
		m, known := t.places[key]
		if !known || m.Recovered || m.Relapsed || m.time().After(last) {
			continue
		}
		inc.Sick--
		if m.Late {
			inc.Late--
		}
		m.Recovered = true
		t.places[key] = m
	}
}

// Tick sets the time, and returns the incidents that have opened, grown or ended since the last
// call, the oldest first. Call it every few seconds, and once after the Events of a list. A failure
// that is over before a Tick could report it is not returned.
func (t *Tracker) Tick(now time.Time) (reports []Incident) {
	t.now = latest(t.now, now)
	forgotten := false
	all := t.sorted()
	for _, inc := range all {
		over := !t.now.Before(inc.end())
		if !inc.Opened && inc.Serious && inc.Sick > 0 && t.now.Sub(inc.First) >= hold {
			inc.Opened = true
			inc.Before = t.hints(inc, all)
		}
		switch {
		case over && (!inc.Opened || t.now.After(inc.Last.Add(memory))):
			forgotten = true
			t.forget(inc)
			if inc.State != Over && inc.Reported > 0 {
				inc.State = Over
				reports = append(reports, inc.Incident)
			}
			continue
		case over && inc.State != Over:
			inc.State = Over
		case over, !inc.Opened:
			continue
		case inc.Reported == 0:
			inc.State = Open
		case inc.Objects >= 2*inc.Reported:
			inc.State = Growing
		default:
			continue
		}
		if inc.State != Over || inc.Reported > 0 {
			reports = append(reports, inc.Incident)
		}
		inc.Reported = inc.Objects
	}
	if forgotten {
		t.sweep()
	}
	return reports
}

// Incidents returns the open incidents, and those that ended less than an hour ago, the oldest
// first.
func (t *Tracker) Incidents() (all []Incident) {
	for _, inc := range t.sorted() {
		if inc.Opened {
			all = append(all, inc.Incident)
		}
	}
	return all
}

// Find returns the incident to which an Event belongs. It returns false if the Event belongs to
// none, or if the incident was not reported yet or is forgotten.
func (t *Tracker) Find(e *eventview.Event) (Incident, bool) {
	inc := t.at(eventKey(e))
	if inc == nil || !inc.Opened {
		return Incident{}, false
	}
	return inc.Incident, true
}

func (t *Tracker) sorted() []*entry {
	return slices.SortedFunc(maps.Values(t.incidents), func(a, b *entry) int {
		return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.Number, b.Number))
	})
}

// forget drops an incident. Its places stay until the next sweep.
func (t *Tracker) forget(inc *entry) {
	delete(t.incidents, inc.Number)
	delete(t.roots, inc.Key)
	for _, v := range inc.Variants {
		for _, key := range []uint64{v.Key, v.Shape.Tail} {
			if t.roots[key] == inc.Number {
				delete(t.roots, key)
			}
		}
	}
}

// forgetOldest drops the half of the incidents that has been quiet the longest.
func (t *Tracker) forgetOldest() {
	oldest := slices.SortedFunc(maps.Values(t.incidents), func(a, b *entry) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Number, b.Number))
	})
	for _, inc := range oldest[:len(oldest)/2] {
		t.forget(inc)
	}
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
