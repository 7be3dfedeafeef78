// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/timing"
)

// Counts is the key of the annotation that lists the shares of an Event's count. It is present only
// on Events that several processes may share.
const Counts = "eventseries.dev/counts"

// Share is the part of an Event's count that one process has counted. The annotation [Counts] is a
// JSON list of shares, in which the most recently written share comes last.
//
// A share is an absolute number, and only its own process changes it. So a write is not counted
// twice if it arrives twice or its answer is lost. The count of the Event is the sum of the shares.
type Share struct {
	// Instance is the reporting instance.
	Instance string `json:"instance"`
	// ID is random, with 64 bits.
	ID    string `json:"id"`
	Count int64  `json:"count"`
}

const (
	// maxShares is the maximum number of shares in one Event. It keeps the annotation within a few
	// KiB. Each restart of a component adds a share, so a component that restarts every few minutes
	// reaches the limit within hours. The next process then begins another Event.
	maxShares = 32
	// maxCounts is the maximum length of the annotation in bytes, which is enough for maxShares
	// shares.
	maxCounts = 8 << 10
	// maxInstance is the API server's limit on the length of a reporting instance.
	maxInstance = 128
	// maxID is the length of an ID: 64 bits in hexadecimal digits.
	maxID = 16
	// maxShare is the maximum share that is accepted from another process. It is so small that the
	// sum of maxShares shares cannot overflow.
	maxShare = 1 << 50
	// maxNames is the number of names that a series may find to be taken by other Events. After
	// that it uses a unique name, so that forged Events with such names cost only a few requests.
	maxNames = 8
	// maxRate is the highest average rate of an Event, in occurrences per second since its first
	// one, at which another process still begins to count in the Event. A higher rate means that
	// the count is probably forged. A hot loop can exceed this rate, too, with several million
	// occurrences per second. In that case the processes that already count in its Event go on
	// counting there, and other processes begin their own Events.
	maxRate = 10_000
)

// SharesOf returns the shares in an Event's annotations. It returns an error if there are no
// shares, or if this package cannot have written the annotation.
func SharesOf(annotations map[string]string) (shares []Share, err error) {
	text := annotations[Counts]
	if len(text) > maxCounts {
		return nil, fmt.Errorf("annotation %s has %d bytes", Counts, len(text))
	}
	if err := json.Unmarshal([]byte(text), &shares); err != nil {
		return nil, fmt.Errorf("annotation %s: %w", Counts, err)
	}
	if len(shares) == 0 || len(shares) > maxShares {
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

// sharedCount is the state of a series that shares its Event with other processes. The name of the
// Event is computed from the key, so that all processes find the same Event. The series knows the
// shares of other processes as of the last resourceVersion that it has read. Every patch contains
// this version, so that the patch cannot overwrite a share that the series has not read.
type sharedCount struct {
	hash keyHash
	// generation is a number from which the Event's name is made. If the series must not count in
	// an Event that already has the name, generation is incremented, so that the name changes; see
	// [Series.reconcile]. Later series of this process with the same key start with this
	// generation.
	generation int
	// taken is the number of names that this series has given up, because it must not count in the
	// Events that have them.
	taken int
	// latestNote is true if the Event shows the latest note.
	latestNote bool
	// name is the name of the Event.
	name string

	// id is the ID of this series' share.
	id string
	// base is the difference between this series' share and the count of the series; see
	// [Series.beginShare].
	base int64
	// sent is the highest count that was sent for this series' share.
	sent int64
	// others are the shares of other processes.
	others []Share
	// last is the time of the last occurrence that another process has counted.
	last time.Time
}

// lastShare is the state that a series leaves to the next series with the same key: the generation
// of its Event, and its share of the count.
type lastShare struct {
	generation   int
	instance, id string
	count        int64
}

// share makes the series count in the Event that all series with the same hash share. It must be
// called before the series is written. The parameter former is what an earlier series of this
// process has left, or the zero value if there was none.
func (s *Series) share(former lastShare, hash keyHash, o *Occurrence) {
	c := &sharedCount{
		hash:       hash,
		generation: former.generation,
		latestNote: o.LatestNote,
	}
	s.mutableExtras().shared = c
	if former.id != "" && former.instance == o.ReportingInstance {
		c.id = former.id
		c.base = former.count
		c.sent = former.count
	} else {
		s.beginShare()
	}
	if c.inheritsShare() { // the Event may still exist
		s.markExists()
	}
	c.setName(o)
}

// setName sets the name for the current generation. If too many names were taken, it sets a unique
// name. The parameter first is the first occurrence of the series.
func (c *sharedCount) setName(first *Occurrence) {
	c.name = first.EventName()
	if c.taken < maxNames {
		c.name = c.hash.name(first.Regarding.Name, c.generation)
	}
}

// sharing returns the shared count, or nil if the name of the Event is unique, so that no other
// process counts in the Event.
func (s *Series) sharing() *sharedCount {
	if c := s.extras().shared; c != nil && c.taken < maxNames {
		return c
	}
	return nil
}

// lastShare returns the state for the next series with the same key. If the Event no longer exists,
// only the generation is set, because the next series creates the Event with a new share.
func (s *Series) lastShare(instance string) lastShare {
	c := s.extras().shared
	last := lastShare{generation: c.generation}
	if s.exists {
		last.instance = instance
		last.id = c.id
		last.count = c.base + s.recorded
	}
	return last
}

// countedElsewhere returns the number of occurrences in the Event that this series has not counted,
// because other processes or an earlier series of this process have counted them.
func (s *Series) countedElsewhere() (sum int64) {
	c := s.extras().shared
	if c == nil {
		return 0
	}
	for _, share := range c.others {
		sum += share.Count
	}
	return c.base + sum
}

// beginShare begins a new share for the occurrences that are not recorded yet. The recorded
// occurrences remain in the old share.
func (s *Series) beginShare() {
	c := s.extras().shared
	c.id = fmt.Sprintf("%016x", rand.Uint64())
	c.base = -s.recorded
	c.sent = 0
}

// inheritsShare reports whether this series has taken over the share of an earlier series of this
// process, and has not changed it yet.
func (c *sharedCount) inheritsShare() bool { return c.base > 0 && c.sent == c.base }

// addShare sets the annotation [Counts] of w to the shares of all processes, including the share of
// this series. It does so both in the Event of w and in the annotations that w changes, and
// remembers the count as sent. If another process has counted a later occurrence than this series,
// addShare sets the time of the last occurrence in the Event of w to that later time.
func (c *sharedCount) addShare(w *Write) {
	e := w.Event
	own := Share{
		Instance: e.ReportingInstance,
		ID:       c.id,
		Count:    c.base + w.Count,
	}
	c.sent = max(c.sent, own.Count)
	text, _ := json.Marshal(append(slices.Clone(c.others), own)) // texts and numbers cannot fail
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

// markExists records that an Event with the current name exists. The next write is an empty patch.
// The answer to it contains the version of the Event, and shows whether the Event belongs to this
// series; see [Series.reconcile].
func (s *Series) markExists() {
	s.exists = true
	s.versionState |= versionUnknown
	s.write = nil
}

// reconcile handles the stored Event e, which has the name of this series, and records its
// resourceVersion. If e belongs to this series and its shares are plausible, the series continues
// counting in e. Otherwise the series takes the next name.
//
// The series never abandons an Event that contains its own share with a count that it has sent,
// even if the answer to that write was lost, because under another name it would count the same
// occurrences again.
func (s *Series) reconcile(e *eventsv1.Event, now time.Time) {
	c := s.sharing()
	s.versionState &^= unseen
	switch {
	case c == nil:
		// The name is unique, so the Event belongs to this series.
		s.ackVersion(versionOf(e))
		return
	case e == nil && s.recorded > 0:
		// The sink does not return Events, but this series has stored one.
		s.ackVersion("")
		return
	case e == nil, hashOfEvent(e) != c.hash:
		s.abandonName()
		return
	}
	shares, err := SharesOf(e.Annotations)
	joins := err == nil
	own := slices.IndexFunc(shares, func(share Share) bool { return share.ID == c.id })
	if own >= 0 && shares[own].Count <= c.sent {
		// This process already counts here, regardless of the other shares.
		shares = slices.Delete(shares, own, own+1)
	} else {
		if own >= 0 || c.inheritsShare() {
			s.beginShare() // somebody else changed this share, or its Event has expired
		}
		joins = joins && plausible(e, shares, now)
	}
	if !joins || len(shares) == maxShares {
		s.abandonName()
		return
	}
	c.others = shares
	// Ignore a time in the future, because this process cannot tell when that occurrence really
	// was. In that case the Event keeps the time of the last occurrence of this process.
	if last := lastOf(e); last.After(c.last) && !last.After(now.Add(timing.MaxSkew)) {
		c.last = last
	}
	if c.latestNote {
		s.annotateStored(e)
	}
	s.ackVersion(versionOf(e))
}

// abandonName makes the series begin another Event under a new name. It is called if the Event with
// the current name must not be changed.
func (s *Series) abandonName() {
	c := s.extras().shared
	c.generation++
	c.taken++
	c.last = time.Time{}
	s.beginShare()
	first := s.First()
	c.setName(&first)
	s.lostEvent()
	s.versionState &^= versionUnknown
}

// plausible reports whether real processes could have counted the shares of the stored Event e. It
// is called only for Events in which this process does not count yet. It does not protect against
// an attacker who is allowed to write Events and forges plausible shares.
func plausible(e *eventsv1.Event, shares []Share, now time.Time) bool {
	sum := int64(0)
	for _, share := range shares {
		sum += share.Count
	}
	count := int64(1)
	if e.Series != nil {
		count = int64(e.Series.Count)
	}
	latest := now.Add(timing.MaxSkew)
	seconds := int64(latest.Sub(e.EventTime.Time) / time.Second)
	switch {
	case count != int64(wireCount(sum)):
		return false
	case lastOf(e).After(latest), e.EventTime.After(latest):
		return false
	}
	return sum/maxRate <= seconds
}

// hashOfEvent returns the hash of a stored Event's key.
func hashOfEvent(e *eventsv1.Event) keyHash {
	k := Key{
		Type:                e.Type,
		Action:              e.Action,
		Reason:              e.Reason,
		ReportingController: e.ReportingController,
		Regarding:           NewReference(&e.Regarding),
	}
	k.HasRelated = e.Related != nil
	if k.HasRelated {
		k.Related = NewReference(e.Related)
	}
	return hashOf(&k)
}

// keyHash identifies a series to every process that records it. It is the first 128 bits of the
// SHA-256 of the key without the reporting instance.
type keyHash [16]byte

// hashOf returns the hash of a key. The hashed text begins with the version of its format, "1", so
// that another format would result in other names.
func hashOf(k *Key) (hash keyHash) {
	var buf KeyBuffer
	text := pack(buf[:0], "1")
	text = pack(pack(pack(pack(text, k.ReportingController), k.Type), k.Reason), k.Action)
	text = k.Regarding.packIdentity(text)
	if k.HasRelated {
		text = k.Related.packIdentity(text)
	}
	sum := sha256.Sum256(text)
	copy(hash[:], sum[:])
	return hash
}

// name returns the name of the Event of the given generation. It consists of the name of the
// object, the hash and the generation.
func (h keyHash) name(regarding string, generation int) string {
	return eventName(regarding, fmt.Appendf(nil, "%x.%d", h[:], generation))
}
