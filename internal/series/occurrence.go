// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// Occurrence is one call of a recorder.
type Occurrence struct {
	Key

	// Namespace and Name are the Event's. They matter for the first occurrence of a
	// series only, as do Labels, and a Note without DistinctNotes or LatestNote.
	Namespace   string
	Name        Name
	Note        string // as it goes on the wire
	Labels      string // as package eventlabels has them
	Annotations map[string]string
	At          time.Time

	DistinctNotes int  // under NotesDistinct: how many notes get a series of their own
	LatestNote    bool // under NotesLatest: the note is kept as an annotation
	Folded        bool // it stands for one beyond the limit of its object; set by the cache alone
}

// Key is what the occurrences of a series have in common: regarding, action,
// reason, reporting controller and instance, and related (KEP-383). Like
// client-go's it has the type, too. Versions do not count: neither a bump of the
// API version nor a write to the object begins another series.
type Key struct {
	Type, Action, Reason                   string
	ReportingController, ReportingInstance string
	Regarding, Related                     Reference
	HasRelated                             bool
}

// Account returns what the occurrence is counted by.
func (k *Key) Account() stats.Labels {
	return stats.Labels{
		ReportingController: k.ReportingController,
		RegardingKind:       k.Regarding.Kind,
		Type:                k.Type,
		Reason:              k.Reason,
	}
}

// SelectedBy reports whether a selector lets the occurrence through. A nil selector does.
// Without an action, as core/v1 allows it, the reason stands for it.
func (k *Key) SelectedBy(s *selector.Selector) bool {
	return s.Selects(&selector.Event{
		k.Type, k.Reason, cmp.Or(k.Action, k.Reason), k.ReportingController,
		k.Regarding.Kind, k.Regarding.Namespace, k.Related.Kind,
	})
}

// Reference is an object as an Event refers to it.
type Reference struct {
	Group, Kind, Namespace, Name string
	UID                          types.UID
	FieldPath                    string
	// Version is what the apiVersion has beyond the group. It and ResourceVersion
	// are no part of a key.
	Version, ResourceVersion string
}

// NewReference converts a reference of the API.
func NewReference(ref *corev1.ObjectReference) Reference {
	group, version := splitVersion(ref.APIVersion)
	return Reference{
		Group:           group,
		Version:         version,
		Kind:            ref.Kind,
		Namespace:       ref.Namespace,
		Name:            ref.Name,
		UID:             ref.UID,
		FieldPath:       ref.FieldPath,
		ResourceVersion: ref.ResourceVersion,
	}
}

// splitVersion splits an apiVersion so that [schema.GroupVersion] joins the
// parts to the same string, also where it is none that the API machinery makes.
func splitVersion(apiVersion string) (group, version string) {
	if i := strings.IndexByte(apiVersion, '/'); i > 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

// Len is the length of all texts of the reference.
func (r *Reference) Len() int {
	return len(r.Group) + len(r.Kind) + len(r.Namespace) + len(r.Name) + len(r.UID) + len(r.FieldPath) +
		len(r.Version) + len(r.ResourceVersion)
}

// APIVersion is the group and the version.
func (r *Reference) APIVersion() string {
	return schema.GroupVersion{Group: r.Group, Version: r.Version}.String()
}

// ObjectReference converts the reference to the API's.
func (r *Reference) ObjectReference() corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion:      r.APIVersion(),
		Kind:            r.Kind,
		Namespace:       r.Namespace,
		Name:            r.Name,
		UID:             r.UID,
		FieldPath:       r.FieldPath,
		ResourceVersion: r.ResourceVersion,
	}
}

// PackedKey is a key as the cache looks it up. The note comes last, so that what
// comes before it tells which series differ in nothing else.
type PackedKey struct {
	text []byte
	base int // the length without the note
}

// KeyBuffer holds nearly every packed key, so that looking one up allocates
// nothing. A longer one is packed all the same.
type KeyBuffer [512]byte

// eventTypes are all that a recorder takes. Each is packed as its index.
var eventTypes = [...]string{corev1.EventTypeNormal, corev1.EventTypeWarning}

// PackKey appends the occurrence's key to buf.
func (o *Occurrence) PackKey(buf []byte) PackedKey {
	buf = append(buf, byte(max(slices.Index(eventTypes[:], o.Type), 0)))
	buf = pack(pack(pack(buf, o.Action), o.Reason), o.ReportingInstance)
	buf = packBeginning(buf, o.ReportingController, o.ReportingInstance)
	buf = o.Regarding.packIdentity(buf)
	if o.HasRelated {
		buf = o.Related.packIdentity(append(buf, related))
	} else {
		buf = append(buf, unrelated)
	}
	k := PackedKey{base: len(buf)}
	if o.DistinctNotes > 0 {
		k.text = pack(buf, o.Note)
	} else {
		k.text = pack(buf, "")
	}
	return k
}

// A byte in a packed key says whether a related object follows.
const (
	unrelated = iota
	related
)

// packRest appends what the key leaves out and the Event needs.
func (o *Occurrence) packRest(buf []byte) []byte {
	buf = packBeginning(buf, o.Namespace, o.Regarding.Namespace)
	buf = append(pack(buf, o.Name.text), o.Name.stamp[:]...)
	if o.DistinctNotes > 0 {
		buf = pack(buf, "") // the key has the note
	} else {
		buf = pack(buf, o.Note)
	}
	buf = pack(pack(buf, o.Regarding.Version), o.Regarding.ResourceVersion)
	if o.HasRelated {
		buf = pack(pack(buf, o.Related.Version), o.Related.ResourceVersion)
	}
	return append(buf, o.Labels...) // the last one needs no length, so none cost nothing
}

// unpack is the inverse of PackKey and packRest.
func unpack(text string) (o Occurrence) {
	u := unpacker{text}
	u.base(&o.Key)
	o.Note = u.text()
	o.Namespace = u.beginning(o.Regarding.Namespace)
	o.Name = u.name()
	if note := u.text(); note != "" {
		o.Note = note
	}
	o.Regarding.Version = u.text()
	o.Regarding.ResourceVersion = u.text()
	if o.HasRelated {
		o.Related.Version = u.text()
		o.Related.ResourceVersion = u.text()
	}
	o.Labels = u.rest
	return o
}

func (r *Reference) packIdentity(buf []byte) []byte {
	buf = pack(pack(pack(buf, r.Group), r.Kind), r.Namespace)
	return pack(pack(pack(buf, r.Name), r.UID), r.FieldPath)
}

// base takes the key without the note.
func (u *unpacker) base(k *Key) {
	k.Type = eventTypes[u.flag()]
	k.Action = u.text()
	k.Reason = u.text()
	k.ReportingInstance = u.text()
	k.ReportingController = u.beginning(k.ReportingInstance)
	u.identity(&k.Regarding)
	k.HasRelated = u.flag() == related
	if k.HasRelated {
		u.identity(&k.Related)
	}
}

func (u *unpacker) name() (n Name) {
	n.text = u.text()
	u.rest = u.rest[copy(n.stamp[:], u.rest):]
	return n
}

func (u *unpacker) identity(r *Reference) {
	r.Group = u.text()
	r.Kind = u.text()
	r.Namespace = u.text()
	r.Name = u.text()
	r.UID = types.UID(u.text())
	r.FieldPath = u.text()
}

// pack appends s to buf, behind its length as a varint. Two lists of as many texts
// are packed alike only if they are equal, so a packed list can be the key of a
// map. Looking up one string costs less than hashing and comparing a struct of
// eighteen, and a series keeps its texts in one allocation.
func pack[T ~string](buf []byte, s T) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(s))), s...)
}

// packBeginning appends s, which is nearly always what another text begins with: the default
// instance begins with the controller, and an Event is in the namespace of its object. Then
// its length and one is enough; 0 stands before any other text.
func packBeginning(buf []byte, s, other string) []byte {
	if strings.HasPrefix(other, s) {
		return binary.AppendUvarint(buf, uint64(len(s)+1))
	}
	return pack(append(buf, 0), s)
}

// unpacker takes texts out in the order in which they were packed. They share
// the memory of the packed text.
type unpacker struct{ rest string }

func (u *unpacker) text() string {
	n := u.len()
	s := u.rest[:n]
	u.rest = u.rest[n:]
	return s
}

// beginning takes what packBeginning has packed with the same other text.
func (u *unpacker) beginning(other string) string {
	if n := u.len(); n > 0 {
		return other[:n-1]
	}
	return u.text()
}

func (u *unpacker) len() (n int) {
	for shift := 0; ; shift += 7 {
		c := u.flag()
		n |= int(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
}

func (u *unpacker) flag() byte {
	flag := u.rest[0]
	u.rest = u.rest[1:]
	return flag
}

// LatestNote is the annotation with the newest note, because events.k8s.io/v1 does
// not let the note of an Event change.
const LatestNote = "eventseries.dev/latest-note"

// annotate merges annotations in and reports whether some were left out, because with them
// the series would have more than [eventlabels.MaxAnnotations]. Changes go with the next
// patch; keys are never deleted.
func (s *Series) annotate(annotations map[string]string) (leftOut bool) {
	for k, v := range annotations {
		all := s.rare().annotations
		old, had := all[k]
		grown := len(v) - len(old)
		if !had {
			grown += len(k)
		}
		switch {
		case had && old == v:
		case lenOf(all)+grown > eventlabels.MaxAnnotations:
			leftOut = true
		default:
			s.setAnnotation(strings.Clone(k), strings.Clone(v))
		}
	}
	return leftOut
}

// lenOf is the length of all annotations, with their names.
func lenOf(annotations map[string]string) (n int) {
	for k, v := range annotations {
		n += len(k) + len(v)
	}
	return n
}

// annotateLatest sets the annotation of the latest note, if the Event does not show that.
func (s *Series) annotateLatest(note string) {
	if note != s.latestNote() {
		s.setAnnotation(LatestNote, strings.Clone(note))
	}
}

// latestNote is the annotation of that name, or the first note without one.
func (s *Series) latestNote() string {
	if note, ok := s.rare().annotations[LatestNote]; ok {
		return note
	}
	return s.First().Note
}

// annotateStored sets the annotation of the latest note if a stored Event shows another
// one, and was not observed later. The note of the Event itself is another process's.
func (s *Series) annotateStored(e *eventsv1.Event) {
	shown, ok := e.Annotations[LatestNote]
	if !ok {
		shown = e.Note
	}
	if latest := s.latestNote(); latest != shown && !lastOf(e).After(time.UnixMicro(s.seen)) {
		s.setAnnotation(LatestNote, latest)
	}
}

// setAnnotation sets an annotation, whatever the bound: the latest note must not become stale.
func (s *Series) setAnnotation(k, v string) {
	x := s.more()
	if x.annotations == nil {
		x.annotations = map[string]string{}
		x.changed = map[string]string{}
	}
	x.annotations[k] = v
	x.changed[k] = v
}
