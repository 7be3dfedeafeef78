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

// Counts is the annotation that says how an Event's count is made up, when several
// processes may count in it.
const Counts = "eventseries.dev/counts"

// Share is the part of an Event's count that one process has counted. The annotation [Counts] is a
// JSON list of shares. The one that was written last comes last.
//
// A share is absolute, and only its own process changes it. So a write that arrives twice, or whose
// answer was lost, is never counted twice, and the count of the Event is the sum of the shares.
type Share struct {
	// Instance is the reporting instance.
	Instance string `json:"instance"`
	// ID has 64 random bits.
	ID    string `json:"id"`
	Count int64  `json:"count"`
}

const (
	// maxShares bounds the shares of one Event. Each restart of a component adds one, so a component
	// that restarts every few minutes fills them in hours. The next process begins another Event.
	// So the annotation has a few KiB at most.
	maxShares = 32
	// maxCounts bounds the bytes of the annotation. It is enough for maxShares.
	maxCounts = 8 << 10
	// maxInstance is the bound that the API server has for a reporting instance.
	maxInstance = 128
	// maxID is the length of an ID, which is 64 bits in hexadecimal digits.
	maxID = 16
	// maxShare bounds a share that another process wrote, so that sums cannot overflow.
	maxShare = 1 << 50
	// maxNames bounds the taken names that a series passes over. Then it takes a unique name, so that
	// forged Events cost a few requests and no more.
	maxNames = 8
	// maxRate bounds the occurrences a second that an Event may claim since its first one, so that a
	// process joins it. More were probably not counted by anybody. A hot loop can have more, several
	// million a second. Processes that count in its Event stay there, and new ones begin their own.
	maxRate = 10_000
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

// sharedCount is the knowledge of a series about an Event in which other processes may count. The
// name of the Event follows from the key, so that they find it. Their shares are those that are stored
// under the series' resourceVersion. Each patch of such an Event carries that version, so that a list
// of shares is never replaced unread.
type sharedCount struct {
	hash keyHash
	// generation is a part of the name. It grows with each name that turns out to be taken, and later
	// series of the process begin with it.
	generation int
	// taken counts the names that were taken since this series began.
	taken int
	// latestNote reports that the Event shows the latest note.
	latestNote bool
	// name is the name of the Event.
	name string

	// id is the ID of the own share.
	id string
	// base is what the own share has beyond the count of the series, see [Series.beginShare].
	base int64
	// sent is the highest own share that was sent.
	sent int64
	// others are the shares of other processes.
	others []Share
	// last is the time of the newest occurrence of other processes.
	last time.Time
}

// lastShare says where a series has counted, for the next series of the same key: the generation of
// its Event, and its share of the count.
type lastShare struct {
	generation   int
	instance, id string
	count        int64
}

// share makes the series, which has written nothing yet, count in the Event of its key. former is the
// share of an earlier series of this process.
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
	if c.inheritsShare() { // the Event may still be there
		s.markExists()
	}
	c.setName(o)
}

// setName sets the name of the present generation. After too many taken names it is a unique one.
func (c *sharedCount) setName(first *Occurrence) {
	c.name = first.EventName()
	if c.taken < maxNames {
		c.name = c.hash.name(first.Regarding.Name, c.generation)
	}
}

// sharing returns the shared count, or nil if no other process writes the Event.
func (s *Series) sharing() *sharedCount {
	if c := s.extras().shared; c != nil && c.taken < maxNames {
		return c
	}
	return nil
}

// lastShare returns where the series counts, for the next one of the same key. If the Event is not there
// any more, only the generation is left: the next series creates the Event, with a new share.
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
// because another process or an earlier series of this process has counted them.
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

// beginShare begins another share, for the occurrences that are not recorded yet. The recorded ones
// stay in the former share.
func (s *Series) beginShare() {
	c := s.extras().shared
	c.id = fmt.Sprintf("%016x", rand.Uint64())
	c.base = -s.recorded
	c.sent = 0
}

// inheritsShare reports whether the own share is as an earlier series of this process has left it.
func (c *sharedCount) inheritsShare() bool { return c.base > 0 && c.sent == c.base }

// addShare sets the share of this process in the annotation [Counts], both of the Event that w
// creates and of the annotations that w patches, and remembers that it was sent. It also sets the time
// of the last occurrence, if another process had that.
func (c *sharedCount) addShare(w *Write) {
	e := w.Event
	own := Share{
		Instance: e.ReportingInstance,
		ID:       c.id,
		Count:    c.base + w.Count,
	}
	c.sent = max(c.sent, own.Count)
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

// markExists records that an Event of this name exists. The next write is an empty patch, whose
// answer shows the Event's version and whether it is of this series, see [Series.reconcile].
func (s *Series) markExists() {
	s.exists = true
	s.versionState |= versionUnknown
	s.write = nil
}

// reconcile takes the Event e, which is stored under the name of this series, for its resourceVersion.
// If e is of the same series and its shares can be true, this series counts in it. Otherwise the series
// takes the next name. An Event with the share of this process, as it was sent, is never given up:
// under another name the series would count the occurrences of that share again, also if the answer to
// the write was lost.
func (s *Series) reconcile(e *eventsv1.Event, now time.Time) {
	c := s.sharing()
	s.versionState &^= unseen
	switch {
	case c == nil:
		// The name is unique, so the Event is of this series.
		s.ackVersion(versionOf(e))
		return
	case e == nil && s.recorded > 0:
		// The sink returns no Events, but this series has stored one.
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
		// This process counts here already, whatever the other shares say.
		shares = slices.Delete(shares, own, own+1)
	} else {
		if own >= 0 || c.inheritsShare() {
			s.beginShare() // somebody else wrote the own share, or its Event has expired
		}
		joins = joins && plausible(e, shares, now)
	}
	if !joins || len(shares) == maxShares {
		s.abandonName()
		return
	}
	c.others = shares
	// A time in the future is left out, because this process cannot tell when the occurrence
	// was. Its own last one takes that place.
	if last := lastOf(e); last.After(c.last) && !last.After(now.Add(timing.MaxSkew)) {
		c.last = last
	}
	if c.latestNote {
		s.annotateStored(e)
	}
	s.ackVersion(versionOf(e))
}

// abandonName gives up the name of the series, under which there is an Event that it must not touch.
// The series begins another Event.
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

// plausible reports whether processes can have counted the shares of a stored Event, in which this
// process does not count yet. It is no protection against somebody who may write Events and forges
// shares that can be true.
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

// hashOfEvent returns the hash of the key of a stored Event.
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

// keyHash identifies a series to every process that records it: 128 bits of SHA-256
// over the key without the reporting instance.
type keyHash [16]byte

// hashOf returns the hash of a key. The hashed text begins with the version of its format, "1", so that
// another format makes other names.
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

// name returns the name of the Event of a generation: the object's name, the hash and
// the generation.
func (h keyHash) name(regarding string, generation int) string {
	return eventName(regarding, fmt.Appendf(nil, "%x.%d", h[:], generation))
}
