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
		x := s.rare()
		old, had := x.annotations[k]
		switch {
		case had && old == v:
		case x.annotationBytes+grown(k, v, old, had) > eventlabels.MaxAnnotations:
			leftOut = true
		default:
			s.setAnnotation(strings.Clone(k), strings.Clone(v))
		}
	}
	return leftOut
}

// grown is by how many bytes annotations grow if k has the value v, after old if it had one.
func grown(k, v, old string, had bool) int {
	if had {
		return len(v) - len(old)
	}
	return len(k) + len(v)
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
		x.annotations, x.changed = map[string]string{}, map[string]string{}
	}
	old, had := x.annotations[k]
	x.annotationBytes += grown(k, v, old, had)
	x.annotations[k], x.changed[k] = v, v
}
