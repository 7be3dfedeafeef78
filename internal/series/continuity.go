// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/utils/lru"

	"github.com/eventseries/eventseries/internal/timing"
)

// Counts is the annotation that says how an Event's count is made up, when several
// processes may count in it.
const Counts = "eventseries.dev/counts"

// Share is what one process counts in an Event. The annotation [Counts] is a list of them
// as JSON. The one that was written last comes last.
//
// A share is absolute, and only its own process changes it. So a write that arrives
// twice, or whose answer was lost, is never counted twice, and the count of the Event
// is the sum of the shares.
type Share struct {
	Instance string `json:"instance"` // the reporting instance
	ID       string `json:"id"`       // 64 random bits
	Count    int64  `json:"count"`
}

const (
	// maxShares is how many processes count in one Event: those of a component that
	// restarts every few minutes for hours. The next one begins another Event, so the
	// annotation has a few KiB at most.
	maxShares = 32
	// maxCounts is enough for so many shares.
	maxCounts = 8 << 10
	// The bounds on the texts of a share: that of a reporting instance, which validation
	// has, and that of an ID.
	maxInstance, maxID = 128, 16
	// maxShare bounds a share that another process wrote, so that sums cannot overflow.
	maxShare = 1 << 50
	// maxNames is how many taken names a series passes over. Then it takes a unique one,
	// so that forged Events cost a few requests, and no more.
	maxNames = 8
	// maxRate is how many occurrences a second the processes that count in an Event can have
	// had since its first one. A new process does not join an Event that claims more: it was
	// probably not counted by anybody. Who counts there already knows better, because a hot loop
	// of its own has several million a second.
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

// continuity is what a series knows of its Event if the Event's name follows from the
// key ([generations]), so that other processes may have made it, and may count in it.
// What it knows of the others is what is stored under the series' resourceVersion. It
// writes nothing without that version, so a list of shares is never replaced unread.
type continuity struct {
	names      *generations
	hash       keyHash
	generation int
	taken      int                    // names that were another Event's
	latestNote bool                   // the Event shows the latest note
	name       atomic.Pointer[string] // of the Event

	id     string    // of the own share
	base   int64     // what the own share has beside the count of the series, see [Series.beginShare]
	sent   int64     // the highest own share that was sent
	others []Share   // the shares of the others
	last   time.Time // the newest occurrence of the others
}

// continueIn makes a series, which is in no cache yet, count in the Event that its key
// has, with the share that this process has there already.
func (s *Series) continueIn(n *generations, o *Occurrence) {
	c := &continuity{
		names:      n,
		hash:       hashOf(&o.Key),
		latestNote: o.LatestNote,
	}
	s.more().continuity = c
	m := n.recall(c.hash)
	c.generation = m.generation
	if m.instance == o.ReportingInstance {
		c.id = m.id
		c.base = m.count
		c.sent = m.count
	} else {
		s.beginShare()
	}
	if c.former() { // the Event may still be there
		s.meet()
	}
	c.setName(o)
}

// setName sets the name of the present generation. After too many that were taken it is
// a unique one.
func (c *continuity) setName(first *Occurrence) {
	name := first.EventName()
	if c.taken < maxNames {
		name = c.hash.name(first.Regarding.Name, c.generation)
	}
	c.name.Store(&name)
}

// shared returns the continuity of a series whose Event others may write, else nil.
func (s *Series) shared() *continuity {
	if c := s.rare().continuity; c != nil && c.taken < maxNames {
		return c
	}
	return nil
}

// beside is what the Event has beside the count of the series.
func (s *Series) beside() (sum int64) {
	c := s.rare().continuity
	if c == nil {
		return 0
	}
	for _, share := range c.others {
		sum += share.Count
	}
	return c.base + sum
}

// beginShare begins another share, with what is not recorded yet. What is recorded stays
// where it is.
func (s *Series) beginShare() {
	c := s.rare().continuity
	c.id = fmt.Sprintf("%016x", rand.Uint64())
	c.base = -s.recorded
	c.sent = 0
}

// former reports whether the own share is as an earlier series of the process has left it.
func (c *continuity) former() bool { return c.base > 0 && c.sent == c.base }

// shareIn sets the share of this process in the annotation [Counts], both of the Event that w creates and
// of the annotations that w patches.
func (c *continuity) shareIn(w *Write) {
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

// meet records that an Event of this name exists. The next write is an empty patch, whose answer
// shows the Event's version and whether it is of this series, see [Series.look].
func (s *Series) meet() {
	s.exists = true
	s.doubts |= versionUnknown
	s.write = nil
}

// look takes an Event as it is stored under the name of this series, for its resourceVersion. If it is of the
// same series, and can be counted in, this one counts in it. Otherwise it takes the next
// name. An Event with the own share, as this process has sent it, is never given up: the
// next one would count again what that share has, also if its answer was lost.
func (s *Series) look(e *eventsv1.Event, now time.Time) {
	c := s.shared()
	s.doubts &^= unseen
	switch {
	case c == nil, e == nil && s.recorded > 0: // the name is unique; the sink tells nothing
		s.ackVersion(versionOf(e))
		return
	case e == nil, hashOfEvent(e) != c.hash:
		s.nextName()
		return
	}
	shares, err := SharesOf(e.Annotations)
	own := slices.IndexFunc(shares, func(share Share) bool { return share.ID == c.id })
	switch {
	case own >= 0 && shares[own].Count <= c.sent: // this process counts here already, whatever the others claim
		shares = slices.Delete(shares, own, own+1)
	case own >= 0, c.former(): // somebody else has written that; what this process had counted here has expired
		s.beginShare()
		fallthrough
	default:
		err = errors.Join(err, plausible(e, shares, now))
	}
	if err != nil || len(shares) == maxShares {
		s.nextName()
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

// plausible returns an error if the shares of a stored Event, in which this process does not
// count yet, cannot be what processes have counted. Who may write Events can forge some that
// can.
func plausible(e *eventsv1.Event, shares []Share, now time.Time) error {
	var sum, count int64 = 0, 1
	for _, share := range shares {
		sum += share.Count
	}
	if e.Series != nil {
		count = int64(e.Series.Count)
	}
	latest := now.Add(timing.MaxSkew)
	life := latest.Sub(e.EventTime.Time) / time.Second
	switch {
	case count != int64(wireCount(sum)):
		return fmt.Errorf("a count of %d with shares of %d", count, sum)
	case lastOf(e).After(latest), e.EventTime.After(latest):
		return fmt.Errorf("last observed in the future, at %v", lastOf(e))
	case sum/maxRate > int64(life):
		return fmt.Errorf("a count of %d since %v", sum, e.EventTime)
	}
	return nil
}

// nextName gives up the name of the series, which is that of an Event which it must not
// touch. It begins another one.
func (s *Series) nextName() {
	c := s.rare().continuity
	c.generation++
	c.taken++
	c.last = time.Time{}
	s.beginShare()
	first := s.First()
	c.setName(&first)
	s.expire()
	s.doubts &^= versionUnknown
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

// lastOf returns when an Event was last observed.
func lastOf(e *eventsv1.Event) time.Time {
	if e.Series != nil {
		return e.Series.LastObservedTime.Time
	}
	return e.EventTime.Time
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

// generations makes the names of Events follow from the keys of their series, and remembers
// where this process has counted. Without that, a series that begins again and again would
// ask for the Events of taken names each time, and have a new share each time. What it has
// forgotten costs that, and no more. It is safe for concurrent use.
type generations struct {
	known *lru.Cache // keyHash → counted
}

// maxGenerations bounds the memory to about 2 MiB.
const maxGenerations = 8192

// counted is where a series has counted: its last share.
type counted struct {
	generation   int
	instance, id string
	count        int64
}

func newGenerations() *generations { return &generations{known: lru.New(maxGenerations)} }

func (n *generations) recall(hash keyHash) counted {
	last, _ := n.known.Get(hash)
	m, _ := last.(counted)
	return m
}

// forget keeps the name alone of an Event that has expired: the next series of the key creates it, and patches nothing.
func (n *generations) forget(c *continuity) { n.known.Add(c.hash, counted{generation: c.generation}) }

// remember keeps what the server has acknowledged of s.
func (n *generations) remember(s *Series, instance string) {
	c := s.rare().continuity
	n.known.Add(c.hash, counted{c.generation, instance, c.id, c.base + s.recorded})
}
