// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"strings"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/eventlabels"
)

// LatestNote is the annotation with the newest note, because events.k8s.io/v1 does
// not let the note of an Event change.
const LatestNote = "eventseries.dev/latest-note"

// annotate merges annotations in and reports whether some were left out, because with them
// the series would have more than [eventlabels.MaxAnnotations]. Changes go with the next
// patch; keys are never deleted.
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

// latestNote returns the annotation [LatestNote] or, if there is none, the first note.
func (s *Series) latestNote() string {
	if note, ok := s.extras().annotations[LatestNote]; ok {
		return note
	}
	return s.First().Note
}

// annotateStored sets the annotation of the latest note again, if another process has written the stored
// Event since, and so it shows another note, although its last occurrence is no later than the own one.
func (s *Series) annotateStored(e *eventsv1.Event) {
	shown, ok := e.Annotations[LatestNote]
	if !ok {
		shown = e.Note
	}
	if latest := s.latestNote(); latest != shown && !lastOf(e).After(time.UnixMicro(s.lastWall)) {
		s.setAnnotation(LatestNote, latest)
	}
}

// setAnnotation sets an annotation, whatever the bound: the latest note must not become stale.
func (s *Series) setAnnotation(k, v string) {
	x := s.mutableExtras()
	if x.annotations == nil {
		x.annotations = map[string]string{}
		x.changed = map[string]string{}
	}
	x.annotations[k] = v
	x.changed[k] = v
}
