// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"strings"
	"sync/atomic"
)

const (
	// maxAnnotations bounds the annotations of a series in bytes, names included:
	// varying names must not make an Event grow without end. It is far below the
	// server's 256 KiB (rule S2).
	maxAnnotations = 64 << 10
	// annotationsEach is how many bytes of annotations there may be in the cache for
	// each series that it has room for. Few have any, so that one may have many.
	annotationsEach = 1 << 10
	// maxLatestNote is the server's limit for a note (rule L9). The latest one has its
	// own room in a series, as the first one has: it must not go stale.
	maxLatestNote = 1 << 10
)

// annotate merges annotations in. What differs goes with the next patch; keys are
// never deleted. It tells whether something was left out for want of room.
func (s *Series) annotate(annotations map[string]string) (leftOut bool) {
	size := -1
	for k, v := range annotations {
		old, had := s.annotations[k]
		if had && old == v {
			continue
		}
		if k == LatestNote {
			leftOut = !s.noteLatest(v) || leftOut
			continue
		}
		if size < 0 {
			size = annotationSize(s.annotations)
		}
		grown := len(v) - len(old)
		if !had {
			grown += len(k)
		}
		if size+grown > maxAnnotations || !s.takeRoom(grown) {
			leftOut = true
			continue
		}
		size += grown
		s.setAnnotation(strings.Clone(k), strings.Clone(v))
	}
	return leftOut
}

// noteLatest sets the annotation of the latest note.
func (s *Series) noteLatest(note string) bool {
	if len(note) > maxLatestNote {
		return false
	}
	if s.annotations[LatestNote] != note {
		s.setAnnotation(LatestNote, strings.Clone(note))
	}
	return true
}

func (s *Series) setAnnotation(k, v string) {
	if s.annotations == nil {
		s.annotations = map[string]string{}
	}
	s.annotations[k] = v
	if s.changed == nil {
		s.changed = map[string]string{}
	}
	s.changed[k] = v
}

// takeRoom takes n bytes of what the cache has for annotations, or gives -n back. A
// series without a cache has all the room it wants.
func (s *Series) takeRoom(n int) bool {
	if s.shard == nil {
		return true
	}
	if s.shard.room.Add(int64(-n)) < 0 && n > 0 {
		s.shard.room.Add(int64(n))
		return false
	}
	return true
}

// giveRoom gives back what the series has taken.
func (s *Series) giveRoom() { s.takeRoom(-annotationSize(s.annotations)) }

// annotationSize is what annotations take, but for the latest note.
func annotationSize(annotations map[string]string) int {
	size := 0
	for k, v := range annotations {
		if k != LatestNote {
			size += len(k) + len(v)
		}
	}
	return size
}

// newRoom returns what a cache of so many series has for annotations.
func newRoom(maxSeries int) *atomic.Int64 {
	room := &atomic.Int64{}
	room.Store(int64(maxSeries) * annotationsEach)
	return room
}
