// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/request"
)

// Write is one request for an Event, and the count that its acknowledgement
// records.
type Write struct {
	request.Info
	Event *eventsv1.Event
	Patch []byte // for Patch
	Count int64
	To    Sink // where to send it, if that is not the broadcaster's sink
	Sent  time.Time

	annotations map[string]string // the changed ones
	frozen      bool              // a Create that may have been applied: it is repeated as it is
}

// Begin implements [Item]. It builds a write under the lock, so that it has the latest
// state. It is sent without the lock.
func (s *Series) Begin(now time.Time) (w *Write, _ Effects) {
	sh := s.account.Owner
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.queued = false
	if s.inFlight || s.unwritten() == 0 { // one that is gone has nothing unwritten
		return nil, Effects{}
	}
	w = s.begin()
	w.Sent = now
	return w, Effects{}
}

// begin returns the next write, which is under way from now on, until [Series.end].
func (s *Series) begin() *Write {
	w := s.next()
	s.attempts = oneMore(s.attempts)
	w.Attempt = int(s.attempts)
	w.Delta = w.Count - s.recorded
	w.Total = w.Count + s.beside()
	s.inFlight = true
	s.write = w
	return w
}

// class is what the next write of s does.
func (s *Series) class() (class request.Class) {
	switch {
	case !s.exists, s.recorded == 0:
		class = request.First(!s.normal())
	case s.isSingle():
		class = request.Second
	default:
		class = request.Count
	}
	if s.holds > 0 && s.doubts&conflicted == 0 {
		return class.Failed()
	}
	return class
}

// next returns the write that brings the server up to date, or the empty patch
// that must come before it.
func (s *Series) next() *Write {
	switch {
	case s.write != nil:
		return s.write
	case s.exists && s.doubts&versionUnknown != 0:
		return s.readVersion()
	}
	w := &Write{
		Info:        request.Info{Request: request.Request{Op: request.Create}},
		Event:       s.Event(),
		Count:       s.count(),
		annotations: maps.Clone(s.rare().changed),
	}
	// The Event was stored before and is not there any more. One that the Create finds is an
	// earlier attempt that has arrived late, with an older count, so it is looked at.
	w.Shared = s.recorded > 0
	if c := s.shared(); c != nil {
		w.Shared = true
		c.shareIn(w)
	}
	if s.exists {
		w.Request = request.Request{Op: request.Patch, Unconditional: s.resourceVersion() == ""}
		w.Patch = s.patch(w)
	}
	return w
}

// readVersion asks for the Event as it is stored. The server answers a patch without
// effect with the object, writes nothing (GuaranteedUpdate returns early), and wants
// no permission beyond patch. The Event has no series, since none is written.
func (s *Series) readVersion() *Write {
	w := &Write{
		Info: request.Info{Request: request.Request{
			Op:            request.Patch,
			Unconditional: true,
			ReadVersion:   true,
		}},
		Event: s.Event(),
		Count: s.recorded,
		Patch: []byte("{}"),
	}
	w.Event.Series = nil
	return w
}

// Event returns the Event as it should be on the server. It shares nothing with
// the series but strings.
func (s *Series) Event() *eventsv1.Event {
	o := s.First()
	name := s.name(&o)
	e := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Namespace:   o.Namespace,
			Labels:      eventlabels.Parse(o.Labels),
			Annotations: maps.Clone(s.rare().annotations),
		},
		EventTime:           microTime(s.began),
		ReportingController: o.ReportingController,
		ReportingInstance:   o.ReportingInstance,
		Action:              o.Action,
		Reason:              o.Reason,
		Regarding:           o.Regarding.ObjectReference(),
		Note:                o.Note,
		Type:                o.Type,
	}
	if o.HasRelated {
		related := o.Related.ObjectReference()
		e.Related = &related
	}
	if n := s.count() + s.beside(); n > 1 { // the server refuses a series of one (API validation of series.count)
		e.Series = &eventsv1.EventSeries{Count: wireCount(n), LastObservedTime: microTime(s.seen)}
	}
	return e
}

// patch is the strategic merge patch of a known object: only series and
// metadata may change through events.k8s.io/v1 (API validation, update rules).
// The resourceVersion keeps a delayed older patch from lowering the count.
func (s *Series) patch(w *Write) []byte {
	type metadata struct {
		ResourceVersion string            `json:"resourceVersion,omitempty"`
		Annotations     map[string]string `json:"annotations,omitempty"`
	}
	body := struct {
		Metadata *metadata             `json:"metadata,omitempty"`
		Series   *eventsv1.EventSeries `json:"series"`
	}{Series: w.Event.Series}
	meta := metadata{ResourceVersion: s.resourceVersion(), Annotations: w.annotations}
	if meta.ResourceVersion != "" || len(meta.Annotations) > 0 {
		body.Metadata = &meta
	}
	data, _ := json.Marshal(body) // strings, an int32 and a MicroTime: nothing that can fail
	return data
}

// maxVersion bounds what each series keeps of an answer. Versions of the API server
// have at most 20 digits. Without a version patches are unconditional.
const maxVersion = 128

// versionOf returns the resourceVersion of what is stored.
func versionOf(stored *eventsv1.Event) string {
	if stored == nil || len(stored.ResourceVersion) > maxVersion {
		return ""
	}
	return stored.ResourceVersion
}

// wireCount is n as the API's int32 can say it.
func wireCount(n int64) int32 { return int32(min(n, math.MaxInt32)) }

func microTime(unix int64) metav1.MicroTime { return metav1.NewMicroTime(time.UnixMicro(unix)) }

var (
	// lastNano makes the nanoseconds in names strictly increase in the process,
	// also when the clock is coarse or set back.
	lastNano atomic.Int64
	// processID tells two processes that record in the same nanosecond apart.
	processID = rand.Uint32()
)

// Name is the name of an Event. Nearly every one is the name of its object with a stamp,
// and is kept as the stamp alone. The zero Name is none.
type Name struct {
	text  string // all of it, if there is no stamp
	stamp stamp  // what follows the name of the object
}

// NewName returns a new name: unique, and in order of time when sorted, which is how
// kubectl describe lists Events without lastTimestamp.
func NewName(now time.Time) Name { return Name{stamp: newStamp(now)} }

// FixedName is a name that is known.
func FixedName(text string) Name { return Name{text: text} }

// EventName is the name of the Event that the occurrence is the first one of.
func (o *Occurrence) EventName() string {
	if o.Name.stamp == (stamp{}) {
		return o.Name.text
	}
	var suffix [2 * len(stamp{})]byte
	hex.Encode(suffix[:], o.Name.stamp[:])
	return eventName(o.Regarding.Name, suffix[:])
}

// eventName returns the name of an Event: that of its object and a suffix. As in client-go
// the object is left out if its name cannot be part of a DNS subdomain, which
// events.k8s.io/v1 demands.
func eventName(regarding string, suffix []byte) string {
	if len(regarding)+1+len(suffix) > validation.DNS1123SubdomainMaxLength || !plain(regarding) {
		return string(suffix)
	}
	return regarding + "." + string(suffix)
}

// stamp is what makes a name unique: nanoseconds, and the process.
type stamp [8 + 4]byte

func newStamp(now time.Time) (s stamp) {
	nano := now.UnixNano()
	for {
		last := lastNano.Load()
		nano = max(nano, last+1)
		if lastNano.CompareAndSwap(last, nano) {
			break
		}
	}
	binary.BigEndian.PutUint64(s[:], uint64(nano))
	binary.BigEndian.PutUint32(s[8:], processID)
	return s
}

// PlainLabel reports whether name is a DNS label. The library's check takes as long as all
// the rest of a new series.
func PlainLabel(name string) bool {
	return len(name) <= validation.DNS1123LabelMaxLength && plain(name) && strings.IndexByte(name, '.') < 0
}

// plain reports whether name consists of DNS labels of any length.
func plain(name string) bool {
	edge := true // a label begins here, or has to end
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			edge = false
		case c == '-' && !edge:
			if i+1 == len(name) || name[i+1] == '.' {
				return false
			}
		case c == '.' && !edge:
			edge = true
		default:
			return false
		}
	}
	return !edge
}
