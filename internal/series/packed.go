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

// PackedKey is a [Key] packed into one text, by which the cache finds a series. The note comes
// last, so that the part before it is the same for all series that differ only in their notes.
type PackedKey struct {
	text []byte
	base int // the length without the note
}

// KeyBuffer is a buffer for packed keys. Nearly every key fits, so that finding a series allocates
// nothing. Packing a longer key allocates.
type KeyBuffer [512]byte

// eventTypes lists the event types that a recorder accepts. A packed key contains the index of the
// type.
var eventTypes = [...]string{corev1.EventTypeNormal, corev1.EventTypeWarning}

// PackKey appends the packed key of o to buf.
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

// The values of the byte in a packed key that says whether a related object follows.
const (
	unrelated = iota
	related
)

// packRest appends the fields of the Event that are not part of the key.
func (o *Occurrence) packRest(buf []byte) []byte {
	buf = packBeginning(buf, o.Namespace, o.Regarding.Namespace)
	buf = append(pack(buf, o.Name.text), o.Name.stamp[:]...)
	if o.DistinctNotes > 0 {
		buf = pack(buf, "") // the key contains the note
	} else {
		buf = pack(buf, o.Note)
	}
	buf = pack(pack(buf, o.Regarding.Version), o.Regarding.ResourceVersion)
	if o.HasRelated {
		buf = pack(pack(buf, o.Related.Version), o.Related.ResourceVersion)
	}
	return append(buf, o.Labels...) // the last text needs no length
}

// unpack reverses PackKey and packRest.
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

// base reads the key without the note.
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

// pack appends the length of s as a varint, followed by s. Two packed lists with the same number of
// texts are equal only if the lists are equal, so a packed list can be a map key. Finding one
// string in a map costs less than hashing and comparing a struct of eighteen strings, and a series
// keeps all its texts in one allocation.
func pack[T ~string](buf []byte, s T) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(s))), s...)
}

// packBeginning appends s. If s is a prefix of whole, it appends only the length of s plus one;
// otherwise it appends 0 and the packed s. Usually s is a prefix of whole, because the default
// reporting instance begins with the controller, and an Event is in the namespace of its object.
func packBeginning(buf []byte, s, whole string) []byte {
	if strings.HasPrefix(whole, s) {
		return binary.AppendUvarint(buf, uint64(len(s)+1))
	}
	return pack(append(buf, 0), s)
}

// unpacker reads texts in the order in which they were packed. The texts share the memory of the
// packed text.
type unpacker struct{ rest string }

func (u *unpacker) text() string {
	n := u.len()
	s := u.rest[:n]
	u.rest = u.rest[n:]
	return s
}

// beginning reads a text that packBeginning has packed with the same whole.
func (u *unpacker) beginning(whole string) string {
	if n := u.len(); n > 0 {
		return whole[:n-1]
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
