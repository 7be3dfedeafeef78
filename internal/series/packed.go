// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/binary"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// PackedKey is a key as the cache looks it up. The note comes last, so that what
// comes before it tells which series differ in nothing else.
type PackedKey struct {
	text []byte
	base int // the length without the note
}

// KeyBuffer holds nearly every packed key, so that looking one up allocates nothing. A longer key
// is packed, too, but it allocates.
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
