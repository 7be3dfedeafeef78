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

// eventName returns the name of an Event, which is made of the name of its object and a suffix. As
// in client-go, the name of the object is left out if it cannot be part of a DNS subdomain, which
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
