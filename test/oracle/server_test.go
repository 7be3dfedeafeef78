// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// countsAnnotation is the annotation with the shares of the processes. The documentation of
// WithSharedCounts describes it.
const countsAnnotation = "eventseries.dev/counts"

// share is an element of that annotation.
type share struct {
	Instance string `json:"instance"`
	ID       string `json:"id"`
	Count    int64  `json:"count"`
}

// server is an API server that has only Events. It remembers Events that were deleted.
type server struct {
	w *world

	// mu guards the fields below. No goroutine sleeps while it holds mu.
	mu sync.Mutex
	// stored and past have Events by namespace and name.
	stored map[string]*eventsv1.Event
	past   map[string]*past
	// shares has the shares of all processes by their IDs.
	shares  map[string]*shareOf
	version int64
}

// past is the history of an Event. It is kept when the Event is deleted.
type past struct {
	// writer is the process that created the Event.
	writer *process
	group  string
	// core is true if client-go's correlator made the Event.
	core bool
	// shared is true if the Event has shares.
	shared bool
	// count and last are the highest count and the latest time.
	count     int64
	last      time.Time
	deletedAt time.Time
	written   time.Time
}

// shareOf is the share of one process in the count of one Event.
type shareOf struct {
	owner *process
	group string
	count int64
}

func newServer(w *world) *server {
	return &server{
		w:      w,
		stored: map[string]*eventsv1.Event{},
		past:   map[string]*past{},
		shares: map[string]*shareOf{},
	}
}

// request is a Create or a Patch.
type request struct {
	from   *process
	create bool
	// core is true for a request through core/v1.
	core      bool
	namespace string
	name      string
	// event is the Event to create.
	event *eventsv1.Event
	patch []byte
	sent  time.Time
	// gaveUp is true if the client had given the request up before it arrived.
	gaveUp bool

	// delta is the number of occurrences that the write adds, according to the SDK, if hasDelta is
	// true.
	delta    int64
	hasDelta bool
}

func (r *request) key() string { return r.namespace + "/" + r.name }

func (r *request) String() string {
	if r.create {
		return fmt.Sprintf("create %s count=%d", r.key(), countOf(r.event))
	}
	return fmt.Sprintf("patch %s %s", r.key(), r.patch)
}

// version returns the resourceVersion in a patch, or 0 if it has none.
func (r *request) version() int64 {
	var body struct {
		Metadata struct {
			ResourceVersion int64 `json:"resourceVersion,string"`
		} `json:"metadata"`
	}
	if !r.create {
		_ = json.Unmarshal(r.patch, &body)
	}
	return body.Metadata.ResourceVersion
}

// asksOnly reports whether r changes nothing.
func (r *request) asksOnly() bool { return !r.create && string(r.patch) == "{}" }

// apply applies r or refuses it. It returns the stored Event.
func (s *server) apply(r *request) (*eventsv1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stored, err := s.applyLocked(r)
	if err != nil {
		s.w.tracef("  server: %v: %v", r, err)
		return nil, err
	}
	s.w.tracef("  server: %v: stored, count=%d version=%s", r, countOf(stored), stored.ResourceVersion)
	return stored.DeepCopy(), nil
}

func (s *server) applyLocked(r *request) (*eventsv1.Event, error) {
	s.expire(r.key())
	before := s.stored[r.key()]
	switch {
	case r.create && before != nil:
		return nil, apierrors.NewAlreadyExists(eventsv1.Resource("events"), r.name)
	case r.create:
		return s.write(r, nil, r.event.DeepCopy()), nil
	case before == nil:
		return nil, apierrors.NewNotFound(eventsv1.Resource("events"), r.name)
	}
	after, version, err := patched(before, r.patch)
	switch {
	case err != nil:
		s.w.fail("a patch that changes what is immutable", "%v: %v", r, err)
		return nil, apierrors.NewBadRequest(err.Error())
	case version != "" && version != before.ResourceVersion:
		return nil, apierrors.NewConflict(eventsv1.Resource("events"), r.name, fmt.Errorf("version %s", version))
	case r.asksOnly():
		return before, nil
	}
	return s.write(r, before, after), nil
}

// write stores after in place of before, and checks that the change is allowed.
func (s *server) write(r *request, before, after *eventsv1.Event) *eventsv1.Event {
	s.version++
	after.ResourceVersion = strconv.FormatInt(s.version, 10)
	if before == nil {
		after.CreationTimestamp = metav1.NewTime(time.Now().Add(s.w.s.options.serverAhead).Truncate(time.Second))
	}
	s.stored[r.key()] = after
	p := s.past[r.key()]
	if p == nil {
		p = &past{writer: r.from, group: s.w.groupOf(after), core: after.EventTime.IsZero()}
		s.past[r.key()] = p
	}
	// A request that was sent before somebody deleted the Event may arrive after that, with an old
	// count. So may a patch of client-go's correlator, because it has no resourceVersion.
	late := r.create && r.sent.Before(p.deletedAt) || p.core && !r.create && r.gaveUp
	shares := s.writeShares(r, before, after, p.group, late)
	s.w.checkStored(r, p, after, len(shares) > 0)
	p.shared = p.shared || len(shares) > 0
	count, last := countOf(after), lastOf(after)
	// The count of a shared Event that is created again is lower, because the shares of other
	// processes are gone.
	if !late && (before != nil || !p.shared) {
		least, earliest := p.count, p.last
		if before != nil {
			least, earliest = countOf(before), lastOf(before)
		}
		if count < least {
			s.w.fail("a count went back", "%v: from %d to %d", r, least, count)
		}
		// A process does not keep the time of another process whose clock is ahead.
		if last.Before(earliest) && !(p.shared && s.w.s.options.clocksDiffer()) {
			s.w.fail("the last time went back", "%v: from %v to %v", r, earliest, last)
		}
	}
	p.count = max(p.count, count)
	p.written = time.Now()
	if last.After(p.last) {
		p.last = last
	}
	return after
}

// writeShares checks and remembers the shares of an Event in which several processes count. It
// returns the shares of after.
func (s *server) writeShares(r *request, before, after *eventsv1.Event, group string, late bool) []share {
	now := sharesOf(after)
	if now == nil {
		return nil
	}
	var sum int64
	for _, one := range now {
		sum += one.Count
		kept := s.shares[one.ID]
		switch {
		case kept == nil:
			s.shares[one.ID] = &shareOf{owner: r.from, group: group, count: one.Count}
			s.w.checkShare(r, group, one.Count)
			continue
		case one.Count < kept.count && !late:
			s.w.fail("a share went back", "%v: share %s of %s from %d to %d", r, one.ID, kept.owner, kept.count, one.Count)
		case one.Count > kept.count && kept.owner != r.from:
			s.w.fail("a share of another process changed", "%v: share %s of %s", r, one.ID, kept.owner)
		}
		kept.count = max(kept.count, one.Count)
		if kept.owner == r.from {
			s.w.checkShare(r, group, one.Count)
		}
	}
	if sum != countOf(after) {
		s.w.fail("a count is not the sum of its shares", "%v: %d, shares %v", r, countOf(after), now)
	}
	if before != nil {
		for _, one := range sharesOf(before) {
			if !slices.ContainsFunc(now, func(o share) bool { return o.ID == one.ID }) {
				s.w.fail("a share of another process is lost", "%v: share %s", r, one.ID)
			}
		}
	}
	return now
}

// tally returns, by group, the occurrences of one process that Events have counted: the counts of
// the Events that only this process writes, and its shares of the other ones.
func (s *server) tally(of *process) map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := map[string]int64{}
	for _, one := range s.shares {
		if one.owner == of {
			counts[one.group] += one.count
		}
	}
	for _, p := range s.past {
		if p.writer == of && !p.shared {
			counts[p.group] += p.count
		}
	}
	return counts
}

// names returns the names of the stored Events, in an order that is the same in each run of a
// schedule.
func (s *server) names() []string {
	return slices.SortedFunc(maps.Keys(s.stored), func(a, b string) int {
		va, _ := strconv.ParseInt(s.stored[a].ResourceVersion, 10, 64)
		vb, _ := strconv.ParseInt(s.stored[b].ResourceVersion, 10, 64)
		return int(va - vb)
	})
}

// expire deletes an Event whose time to live is over.
func (s *server) expire(name string) {
	ttl := s.w.s.options.ttl
	if ttl == 0 || s.stored[name] == nil || time.Since(s.past[name].written) < ttl {
		return
	}
	s.w.tracef("  server: %s expires", name)
	delete(s.stored, name)
	s.past[name].deletedAt = s.past[name].written.Add(ttl)
}

// delete deletes the n-th Event, as another client or the end of its time to live does.
func (s *server) delete(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.names()
	if len(names) == 0 {
		return
	}
	name := names[n%len(names)]
	s.w.tracef("  server: somebody deletes %s", name)
	delete(s.stored, name)
	s.past[name].deletedAt = time.Now()
}

// touch adds an annotation to the n-th Event, as another client does, so that its resourceVersion
// changes.
func (s *server) touch(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.names()
	if len(names) == 0 {
		return
	}
	name := names[n%len(names)]
	s.version++
	event := s.stored[name].DeepCopy()
	event.ResourceVersion = strconv.FormatInt(s.version, 10)
	metav1.SetMetaDataAnnotation(&event.ObjectMeta, "example.com/seen", event.ResourceVersion)
	s.stored[name] = event
	s.w.tracef("  server: somebody annotates %s, version=%s", name, event.ResourceVersion)
}

// patched applies a strategic merge patch to a copy of event. It returns the copy, and the
// resourceVersion in the patch. It returns an error if the patch has fields that an API server does
// not let change.
func patched(event *eventsv1.Event, patch []byte) (_ *eventsv1.Event, version string, _ error) {
	var body struct {
		Metadata struct {
			ResourceVersion string            `json:"resourceVersion"`
			Annotations     map[string]string `json:"annotations"`
		} `json:"metadata"`
		Series *eventsv1.EventSeries `json:"series"`
		// These fields are in patches of client-go's correlator through core/v1. Patches of a
		// series through core/v1 have the first two.
		Count         int32       `json:"count"`
		LastTimestamp metav1.Time `json:"lastTimestamp"`
		Message       string      `json:"message"`
	}
	decoder := json.NewDecoder(bytes.NewReader(patch))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return nil, "", err
	}
	after := event.DeepCopy()
	for k, v := range body.Metadata.Annotations {
		metav1.SetMetaDataAnnotation(&after.ObjectMeta, k, v)
	}
	if body.Series != nil {
		after.Series = body.Series
	}
	if body.Count > 0 {
		after.DeprecatedCount = body.Count
	}
	if !body.LastTimestamp.IsZero() {
		after.DeprecatedLastTimestamp = body.LastTimestamp
	}
	if body.Message != "" {
		after.Note = body.Message
	}
	return after, body.Metadata.ResourceVersion, nil
}

// countOf returns the count of an Event.
func countOf(e *eventsv1.Event) int64 {
	switch {
	case e.Series != nil:
		return int64(e.Series.Count)
	case e.EventTime.IsZero():
		return int64(e.DeprecatedCount)
	}
	return 1
}

// lastOf returns the time of the last occurrence of an Event.
func lastOf(e *eventsv1.Event) time.Time {
	switch {
	case e.Series != nil:
		return e.Series.LastObservedTime.Time
	case e.EventTime.IsZero():
		return e.DeprecatedLastTimestamp.Time
	}
	return e.EventTime.Time
}

func sharesOf(e *eventsv1.Event) (shares []share) {
	if text, ok := e.Annotations[countsAnnotation]; ok {
		// Only the SDK writes the annotation in these tests, so it can be decoded.
		_ = json.Unmarshal([]byte(text), &shares)
	}
	return shares
}
