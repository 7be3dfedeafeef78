// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/request"
)

// Counts is the annotation that says how an Event's count is made up, when several
// processes may count in it.
const Counts = "eventseries.dev/counts"

// Share is what one series in one process counts in an Event. The annotation [Counts]
// is a list of them as JSON. The one that was written last comes last.
//
// A share is absolute, and only its own series changes it. So a write that arrives
// twice, or whose answer was lost, is never counted twice, and the count of the Event
// is the sum of the shares.
type Share struct {
	Instance string `json:"instance"` // the reporting instance
	ID       string `json:"id"`       // of the series in memory: 64 random bits
	Count    int64  `json:"count"`
}

const (
	// maxShares is how many series count in one Event: the processes of a component
	// that restarts every few minutes for hours. The next one begins another Event, so
	// the annotation has a few KiB at most.
	maxShares = 32
	// maxKnownShares bounds what is kept and sent back of what others write into the
	// annotation, with the bounds on each share.
	maxKnownShares = 2 * maxShares
	// maxCounts is enough for so many shares.
	maxCounts = 16 << 10
	// The bounds on the texts of a share: that of a reporting instance, which validation
	// has, and that of an ID.
	maxInstance, maxID = 128, 16
	// maxShare bounds a share that another process wrote, so that sums cannot overflow.
	maxShare = 1 << 50
	// maxNames is how many taken names a series passes over. Then it takes a unique one,
	// so that forged Events cost a few requests, and no more.
	maxNames = 8
)

// SharesOf returns the shares in an Event's annotations. It is an error if there are
// none, or none that this package can have written.
func SharesOf(annotations map[string]string) (shares []Share, err error) {
	text := annotations[Counts]
	if len(text) > maxCounts {
		return nil, fmt.Errorf("annotation %s has %d bytes", Counts, len(text))
	}
	if err := json.Unmarshal([]byte(text), &shares); err != nil {
		return nil, fmt.Errorf("annotation %s: %w", Counts, err)
	}
	if len(shares) == 0 || len(shares) > maxKnownShares {
		return nil, fmt.Errorf("annotation %s has %d shares", Counts, len(shares))
	}
	for _, share := range shares {
		if share.ID == "" || len(share.ID) > maxID || len(share.Instance) > maxInstance ||
			share.Count < 1 || share.Count > maxShare {
			return nil, fmt.Errorf("annotation %s: invalid share %+v", Counts, share)
		}
	}
	return shares, nil
}

// continuity is what a series knows of its Event if the Event's name follows from the
// key ([generations]), so that other processes may have made it, and may count in it.
type continuity struct {
	names      *generations
	hash       keyHash
	generation int
	taken      int                    // names that were another Event's
	name       atomic.Pointer[string] // of the Event
	id         string                 // of the own share

	joined bool      // the Event of that name has, or had, a share of this series
	uid    types.UID // of that Event
	others []Share   // the shares of the others, as last read
	sum    int64     // of the others
	last   time.Time // the newest occurrence of the others
}

// newContinuity returns the state for the first occurrence of a series.
func newContinuity(n *generations, o *Occurrence) *continuity {
	c := &continuity{names: n, hash: hashOf(&o.Key), id: fmt.Sprintf("%016x", rand.Uint64())}
	c.generation = n.next(c.hash, o.At)
	c.setName(o)
	return c
}

// setName sets the name of the present generation. After too many that were taken it is
// a unique one.
func (c *continuity) setName(first *Occurrence) {
	var name string
	if c.taken < maxNames {
		name = c.hash.name(first.Regarding.Name, c.generation)
	} else {
		name = first.EventName()
	}
	c.name.Store(&name)
}

// others is what other series count in the Event.
func (s *Series) others() int64 {
	c := s.continuity()
	if c == nil {
		return 0
	}
	return c.sum
}

// shareIn adds the own share to the Event of a write, and to what the write changes.
func (c *continuity) shareIn(w *Write) {
	e := w.Event
	own := Share{Instance: e.ReportingInstance, ID: c.id, Count: w.Count}
	text, _ := json.Marshal(append(slices.Clone(c.others), own)) // texts and numbers: nothing that can fail
	for _, annotations := range []*map[string]string{&e.Annotations, &w.annotations} {
		if *annotations == nil {
			*annotations = map[string]string{}
		}
		(*annotations)[Counts] = string(text)
	}
	if e.Series != nil && c.last.After(e.Series.LastObservedTime.Time) {
		e.Series.LastObservedTime.Time = c.last
	}
}

// meet records that the Create found an Event of its name. Whose it is, a look tells.
func (s *Series) meet() {
	s.exists, s.doubts, s.write = true, versionUnknown, nil
}

// look takes an Event as it is stored under the name of this series. If it is of the
// same series, and can be counted in, this one counts in it. Otherwise it takes the next
// name.
func (s *Series) look(e *eventsv1.Event, now time.Time, iv *Intervals) {
	c := s.continuity()
	switch {
	case e == nil && c.joined: // the sink tells nothing
		s.ackVersion("")
		return
	case e == nil, hashOfEvent(e) != c.hash:
		s.nextName()
		return
	}
	shares, err := SharesOf(e.Annotations)
	isOwn := func(share Share) bool { return share.ID == c.id }
	in := c.joined || slices.ContainsFunc(shares, isOwn)
	others := slices.DeleteFunc(shares, isOwn)
	last := lastOf(e)
	known := c.joined && e.UID == c.uid
	full, over := len(others) >= maxShares, now.Sub(last) >= iv.Finish
	if err != nil && !known || !in && (full || over) {
		s.nextName()
		return
	}
	c.joined, c.uid = true, e.UID
	c.merge(others)
	if last.After(c.last) {
		c.last = last
	}
	s.ackVersion(versionOf(e))
}

// merge takes over what the server has of the others. A share that is missing there, or
// lower, was lost with an Event that expired and was made again, or was edited.
func (c *continuity) merge(stored []Share) {
	for _, known := range c.others {
		i := slices.IndexFunc(stored, func(share Share) bool { return share.ID == known.ID })
		switch {
		case i >= 0:
			stored[i].Count = max(stored[i].Count, known.Count)
		case len(stored) < maxKnownShares:
			stored = append(stored, known)
		}
	}
	c.others, c.sum = stored, 0
	for _, share := range stored {
		c.sum += share.Count
	}
}

// nextName gives up the name of the series, which is that of an Event which it must not
// touch. It begins another one.
func (s *Series) nextName() {
	c := s.continuity()
	c.generation++
	c.taken++
	c.joined, c.others, c.sum, c.last = false, nil, 0, time.Time{}
	first := s.First()
	c.setName(&first)
	s.expire()
	s.doubts &^= versionUnknown
}

// stored records that the server has the Event with the own share.
func (c *continuity) stored(e *eventsv1.Event, last time.Time) {
	c.joined = true
	if e != nil {
		c.uid = e.UID
	}
	c.names.remember(c.hash, c.generation, last)
}

// hashOfEvent returns the hash of the key of a stored Event.
func hashOfEvent(e *eventsv1.Event) keyHash {
	k := Key{
		Type: e.Type, Action: e.Action, Reason: e.Reason, ReportingController: e.ReportingController,
		Regarding: NewReference(&e.Regarding),
	}
	if k.HasRelated = e.Related != nil; k.HasRelated {
		k.Related = NewReference(e.Related)
	}
	return hashOf(&k)
}

// lastOf returns when an Event was last observed.
func lastOf(e *eventsv1.Event) time.Time {
	if e.Series != nil {
		return e.Series.LastObservedTime.Time
	}
	return e.EventTime.Time
}

// metAnother reports whether the answer to w says that the name is taken, by whatever
// Event. If the name is unique, that is an earlier attempt's.
func (s *Series) metAnother(w *Write, v request.Verdict) bool {
	return w.Op == request.Create && v.Exists && s.continuity() != nil && s.continuity().taken < maxNames
}
