// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/usercode"
)

// State is the state of an [Incident].
type State string

// The states of an incident.
const (
	// Open is the state when the incident begins, and when it goes on after it was over.
	Open State = "open"
	// Growing is the state when the number of objects has doubled since the last report.
	Growing State = "growing"
	// Over is the state when nothing of the incident has occurred for a while.
	Over State = "over"
)

// Incident is a failure that many Events report.
type Incident struct {
	// ID is the same after a restart and in another replica. The package documentation says when it
	// is not.
	ID    string `json:"id"`
	State State  `json:"state"`
	// Reason, Controller and Note are from the first Event that says why something failed, or from
	// the first Event if none does. Note has no control characters and at most 256 bytes.
	Reason     string `json:"reason"`
	Controller string `json:"controller,omitempty"`
	Note       string `json:"note"`
	// FirstObject is the object that was hit first.
	FirstObject eventview.Object `json:"firstObject"`
	// Objects is the number of objects that were hit.
	Objects int `json:"objects"`
	// First and Last are the times of the first and of the newest occurrence.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Before says what else began in the five minutes before First, the newest first. It is a hint
	// where to look for the cause, and may have nothing to do with the incident.
	Before []string `json:"before,omitempty"`
}

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
	// shortly is the time before an incident in which a hint is looked for.
	shortly = 5 * time.Minute
	// skew is the time by which the clocks of writers may be ahead.
	skew = time.Minute

	maxNoteShown = 256
	maxHints     = 3
	// maxIncidents is the maximum number of incidents in memory, and maxPlaces the maximum number
	// of places. When it is exceeded, the oldest ones are forgotten.
	maxIncidents = 1024
	maxPlaces    = 1 << 20
	// maxVariants is the maximum number of templates of an incident.
	maxVariants = 4
	maxChanges  = 32
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

// entry is an incident, or the suspicion of one. The fields are exported because the checkpoint has
// them.
type entry struct {
	Incident
	Number uint32
	// Key is the ID as a number.
	Key uint64
	// Canonical is the canonical reason.
	Canonical string
	Vague     bool
	// Family is the family of the first object.
	Family string
	// Variants are the notes of the incident.
	Variants []variant
	// Grown is the latest begin of an Event of the incident.
	Grown time.Time
	// Serious is true if the incident may be reported when it has lasted for a minute.
	Serious bool
	// Opened is true if the incident is one, and no suspicion any more.
	Opened bool
	// Reported is the number of objects in the last report, or 0.
	Reported int
	// Sick is the number of objects that have not recovered. Late is the number of those whose
	// newest count may be written late.
	Sick int
	Late int
}

// variant is one note of an incident.
type variant struct {
	Key   uint64
	Shape shape
}

// place says which incident was last seen at a place: with an Event, in a home or as a member.
type place struct {
	Incident uint32
	// At is the time of the newest Event at the place, in seconds since 1970.
	At uint32
	// Recovered, Relapsed and Late describe an object that is a member of an incident. An object
	// that has failed again after it had recovered does not recover any more, because its component
	// reports progress between two failures.
	Recovered bool
	Relapsed  bool
	Late      bool
}

func (p place) time() time.Time { return time.Unix(int64(p.At), 0) }

// change is a Normal Event about an object that is no pod.
type change struct {
	At   time.Time
	Text string
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

// takes reports whether the incident, which has the key of the cause, goes on with an Event that
// begins at a time. A cause that is a reason alone may be another failure if it begins later, for
// example of another node.
func (inc *entry) takes(c *cause, first time.Time) bool {
	if c.byReason {
		return inc.lasts(first) && first.Sub(inc.Grown).Abs() <= quiet
	}
	return !first.After(inc.Last.Add(memory))
}

// at returns the incident at a place, or nil.
func (t *Tracker) at(key uint64) *entry { return t.incidents[t.places[key].Incident] }

// together reports whether an Event at a place has begun at the same time.
func (t *Tracker) together(key uint64, first time.Time) bool {
	return first.Sub(t.places[key].time()).Abs() <= together
}

// lasts reports whether the incident lasts at a time.
func (inc *entry) lasts(at time.Time) bool { return !at.After(inc.end()) }

// end returns the time after which the incident is over unless it occurs again.
func (inc *entry) end() time.Time {
	switch {
	case inc.Late > 0:
		return inc.Last.Add(lateQuiet)
	case !inc.Opened && !inc.Serious:
		return inc.Last.Add(hold)
	}
	return inc.Last.Add(quiet)
}

// sameOperation reports whether the Event has the controller and the reason of the incident.
func (inc *entry) sameOperation(e *eventview.Event) bool {
	return inc.Controller == e.Controller && inc.Canonical == e.Reason
}

// resembles reports whether a note has half of its words in common with a note of the incident. If
// end is true, most of the words after the last colon must be common, too.
func (inc *entry) resembles(c *cause, end bool) bool {
	return slices.ContainsFunc(inc.Variants, func(v variant) bool {
		return overlap(v.Shape.Words, c.Words, 2) && (!end || overlap(v.Shape.End, c.End, 3))
	})
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

// idOf returns the ID of an incident that begins with an Event. An incident with this ID is the
// same one.
func idOf(e *eventview.Event, c *cause, first time.Time) uint64 {
	// Two families may fail in the same hour for different reasons, with the same canonical reason.
	family := ""
	if c.byReason {
		family = familyOf(&e.Regarding)
	}
	hour := first.Truncate(memory).Unix()
	return hash("incident", strconv.FormatUint(c.key, 16), family, strconv.FormatInt(hour, 10))
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

// describe takes the description of the incident from an Event.
func (inc *entry) describe(e *eventview.Event, c *cause) {
	inc.Canonical = c.reason
	inc.Vague = c.vague
	inc.Reason = usercode.Plain(e.Reason, maxNoteShown)
	inc.Controller = usercode.Plain(e.Controller, maxNoteShown)
	inc.Note = usercode.Plain(e.Note, maxNoteShown)
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

// noteChange remembers a change as a hint.
func (t *Tracker) noteChange(e *eventview.Event, first time.Time) {
	if e.Regarding.Kind == "Pod" || e.Count > 1 || first.Before(t.now.Add(-memory)) {
		return
	}
	c := change{
		At:   first,
		Text: usercode.Plain(fmt.Sprintf("%s %v: %s", e.Reason, objectOf(e), e.Note), maxNoteShown),
	}
	if slices.Contains(t.changes, c) {
		return
	}
	if len(t.changes) == maxChanges {
		t.changes = slices.Delete(t.changes, 0, 1)
	}
	t.changes = append(t.changes, c)
}

// hints says what else began shortly before an incident. All incidents are given, the oldest first.
func (t *Tracker) hints(inc *entry, oldestFirst []*entry) (texts []string) {
	shortlyBefore := func(at time.Time) bool {
		before := inc.First.Sub(at)
		return before >= 0 && before <= shortly
	}
	var began []change
	for _, c := range t.changes {
		if shortlyBefore(c.At) {
			began = append(began, c)
		}
	}
	others := 0
	for _, other := range slices.Backward(oldestFirst) {
		if others == maxHints || other.First.Before(inc.First.Add(-shortly)) {
			break
		}
		if other != inc && other.Opened && shortlyBefore(other.First) {
			others++
			began = append(began, change{
				At:   other.First,
				Text: fmt.Sprintf("incident %s: %s %v", other.ID, other.Reason, other.FirstObject),
			})
		}
	}
	slices.SortFunc(began, func(a, b change) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Text, b.Text))
	})
	for _, c := range began[:min(len(began), maxHints)] {
		texts = append(texts, c.Text)
	}
	return texts
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

// put stores a place. The time of a place is that of its newest Event.
func (t *Tracker) put(key uint64, p place) {
	old, known := t.places[key]
	if !known && len(t.places) >= maxPlaces {
		t.sweep()
		t.halve()
	}
	if known && old.Incident == p.Incident {
		p.At = max(p.At, old.At)
	}
	t.places[key] = p
}

// sweep drops the places of forgotten incidents.
func (t *Tracker) sweep() {
	maps.DeleteFunc(t.places, func(_ uint64, p place) bool { return t.incidents[p.Incident] == nil })
}

// halve drops the older half of the places if there are too many.
func (t *Tracker) halve() {
	if len(t.places) < maxPlaces/2 {
		return
	}
	times := make([]uint32, 0, len(t.places))
	for _, p := range t.places {
		times = append(times, p.At)
	}
	slices.Sort(times)
	median := times[len(times)/2]
	// The keys are hashes, so half of them are odd.
	maps.DeleteFunc(t.places, func(key uint64, p place) bool {
		return p.At < median || p.At == median && key%2 == 1
	})
}

// eventKey returns the key of an Event. If the Event expires and is created again, the key is the
// same, because the writer keeps the time of the first occurrence.
func eventKey(e *eventview.Event) uint64 {
	return hash("event", e.Namespace, e.Name, strconv.FormatInt(e.First.Unix(), 10))
}

func memberKey(inc *entry, e *eventview.Event) uint64 {
	number := strconv.FormatUint(uint64(inc.Number), 10)
	return hash("member", number, e.Regarding.Kind, e.Regarding.Namespace, e.Regarding.Name)
}

func seconds(t time.Time) uint32 { return uint32(min(max(t.Unix(), 0), 1<<32-1)) }

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
