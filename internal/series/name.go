// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
)

var (
	// lastNano makes the nanoseconds in names strictly increase within the process, even if the
	// clock is coarse or is set back.
	lastNano atomic.Int64
	// processID distinguishes processes that record in the same nanosecond.
	processID = rand.Uint32()
)

// Name is the name of an Event. Nearly every name consists of the name of the object and a stamp.
// For these names, only the stamp is stored. The zero Name means that there is no name.
type Name struct {
	text  string // the whole name if there is no stamp
	stamp stamp  // the part after the name of the object
}

// NewName returns a new, unique name. Names sort in the order of their times. This matters to
// kubectl describe, which sorts Events without a lastTimestamp by name.
func NewName(now time.Time) Name { return Name{stamp: newStamp(now)} }

// FixedName returns a Name that consists of text.
func FixedName(text string) Name { return Name{text: text} }

// EventName returns the name of the Event that begins with o.
func (o *Occurrence) EventName() string {
	if o.Name.stamp == (stamp{}) {
		return o.Name.text
	}
	var suffix [2 * len(stamp{})]byte
	hex.Encode(suffix[:], o.Name.stamp[:])
	return eventName(o.Regarding.Name, suffix[:])
}

// eventName returns the name of the object and the suffix, joined with a dot. If the joined text is
// not a DNS subdomain, which events.k8s.io/v1 requires, eventName returns only the suffix, as
// client-go does.
func eventName(regarding string, suffix []byte) string {
	if len(regarding)+1+len(suffix) > validation.DNS1123SubdomainMaxLength || !plain(regarding) {
		return string(suffix)
	}
	return regarding + "." + string(suffix)
}

// stamp is the unique part of a name: nanoseconds and the process ID.
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

// PlainLabel reports whether name is a DNS label. It does not call the validation function of the
// Kubernetes library, which would take as long as all other work for a new series.
func PlainLabel(name string) bool {
	return len(name) <= validation.DNS1123LabelMaxLength && plain(name) && strings.IndexByte(name, '.') < 0
}

// plain reports whether name consists of DNS labels of any length, separated by dots.
func plain(name string) bool {
	edge := true // at the beginning of a label
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
