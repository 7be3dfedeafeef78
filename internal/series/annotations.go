// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"strings"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/eventlabels"
)

// LatestNote is the key of the annotation that holds the newest note. The note itself cannot
// change, because events.k8s.io/v1 does not allow that.
const LatestNote = "eventseries.dev/latest-note"

// annotate merges annotations into those of s. It leaves out each annotation that would exceed
// [eventlabels.MaxAnnotations], and reports whether it left out any. The next patch contains the
// changes. Keys are never deleted.
func (s *Series) annotate(annotations map[string]string) (leftOut bool) {
	for k, v := range annotations {
		all := s.extras().annotations
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

// lenOf returns the total length of all annotations, including their keys.
func lenOf(annotations map[string]string) (n int) {
	for k, v := range annotations {
		n += len(k) + len(v)
	}
	return n
}

// annotateLatest sets the annotation [LatestNote] to note, unless the Event shows note already.
func (s *Series) annotateLatest(note string) {
	if note != s.latestNote() {
		s.setAnnotation(LatestNote, strings.Clone(note))
	}
}

// latestNote returns the annotation [LatestNote], or the note of the first occurrence if the
// annotation is not set.
func (s *Series) latestNote() string {
	if note, ok := s.extras().annotations[LatestNote]; ok {
		return note
	}
	return s.First().Note
}

// annotateStored sets the annotation [LatestNote] again if the stored Event e shows another note,
// which another process has written, although no occurrence in e is later than the last occurrence
// of s.
func (s *Series) annotateStored(e *eventsv1.Event) {
	shown, ok := e.Annotations[LatestNote]
	if !ok {
		shown = e.Note
	}
	if latest := s.latestNote(); latest != shown && !lastOf(e).After(time.UnixMicro(s.lastWall)) {
		s.setAnnotation(LatestNote, latest)
	}
}

// setAnnotation sets an annotation. It does not check the size limit, because the latest note must
// not become stale.
func (s *Series) setAnnotation(k, v string) {
	x := s.mutableExtras()
	if x.annotations == nil {
		x.annotations = map[string]string{}
		x.changed = map[string]string{}
	}
	x.annotations[k] = v
	x.changed[k] = v
}
