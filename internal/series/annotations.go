// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"strings"
	"time"

	eventsv1 "k8s.io/api/events/v1"
)

const (
	// maxAnnotations bounds the annotations of a series in bytes, names included:
	// varying names must not make an Event grow without end. The server's limit
	// is 256 KiB.
	maxAnnotations = 64 << 10
	// annotationsEach times the maximal number of series is the cache's budget for
	// annotations in bytes. Few series have any, so one may have many.
	annotationsEach = 1 << 10
	// maxLatestNote is the server's limit for a note. The latest one is outside the
	// budget, because it must not become stale.
	maxLatestNote = 1 << 10
)

// LatestNote is the annotation with the newest note, because events.k8s.io/v1 does
// not let the note of an Event change.
const LatestNote = "eventseries.dev/latest-note"

// annotate merges annotations in and reports whether some were left out, because
// they are too large. Changes go with the next patch; keys are never deleted.
func (s *Series) annotate(annotations map[string]string) (leftOut bool) {
	size := -1
	for k, v := range annotations {
		old, had := s.rare().annotations[k]
		if had && old == v {
			continue
		}
		if k == LatestNote {
			leftOut = !s.annotateNote(v) || leftOut
			continue
		}
		if size < 0 {
			size = annotationSize(s.rare().annotations)
		}
		grown := len(v) - len(old)
		if !had {
			grown += len(k)
		}
		if size+grown > maxAnnotations || !s.reserveBytes(grown) {
			leftOut = true
			continue
		}
		size += grown
		s.setAnnotation(strings.Clone(k), strings.Clone(v))
	}
	return leftOut
}

// annotateNote sets the annotation of the latest note.
func (s *Series) annotateNote(note string) bool {
	if len(note) > maxLatestNote {
		return false
	}
	if s.rare().annotations[LatestNote] != note {
		s.setAnnotation(LatestNote, strings.Clone(note))
	}
	return true
}

// annotateLatest sets the annotation of the latest note if a stored Event shows another
// one, and was not observed later. The note of the Event itself is another process's.
func (s *Series) annotateLatest(e *eventsv1.Event) {
	shown, ok := e.Annotations[LatestNote]
	if !ok {
		shown = e.Note
	}
	latest, ok := s.rare().annotations[LatestNote]
	if !ok {
		latest = s.First().Note
	}
	if latest != shown && !lastOf(e).After(time.UnixMicro(s.seen)) {
		s.setAnnotation(LatestNote, latest)
	}
}

func (s *Series) setAnnotation(k, v string) {
	x := s.more()
	if x.annotations == nil {
		x.annotations, x.changed = map[string]string{}, map[string]string{}
	}
	x.annotations[k], x.changed[k] = v, v
}

// reserveBytes takes n bytes of the cache's budget for annotations, or returns -n
// bytes to it. A series without a cache has no budget.
func (s *Series) reserveBytes(n int) bool {
	if s.account == nil {
		return true
	}
	budget := &s.account.Owner.of.budget.annotationBytes
	if budget.Add(int64(-n)) < 0 && n > 0 {
		budget.Add(int64(n))
		return false
	}
	return true
}

// releaseBytes returns what the series has reserved.
func (s *Series) releaseBytes() {
	s.reserveBytes(-annotationSize(s.rare().annotations))
	if s.rare().continuity != nil {
		s.keepShares(nil)
	}
}

// annotationSize is the length of all annotations but the latest note.
func annotationSize(annotations map[string]string) int {
	size := 0
	for k, v := range annotations {
		if k != LatestNote {
			size += len(k) + len(v)
		}
	}
	return size
}
