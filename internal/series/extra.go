// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "strconv"

// extra is what few series have.
type extra struct {
	dropped int64 // of the observed occurrences, those that are never to be written
	// maxUnconfirmed is the highest count that was sent without an answer since the
	// last acknowledged write.
	maxUnconfirmed  int64
	annotations     map[string]string // as they should be on the server
	changed         map[string]string // of them, not acknowledged yet
	annotationBytes int               // the length of all annotations, with their names
	continuity      *continuity       // nil if the name of the Event is its own; set before the series is shared
	version         string            // the resourceVersion, if it is no number
	flushes         []flushTarget
	denials         uint8  // answers in a row by which the series is held and then given up
	deniedSince     moment // the first of them
}

var noExtra extra // never changed

// rare returns what few series have, to read it.
func (s *Series) rare() *extra {
	if x := s.extra.Load(); x != nil {
		return x
	}
	return &noExtra
}

// more returns what few series have, to change it.
func (s *Series) more() *extra {
	x := s.extra.Load()
	if x == nil {
		x = &extra{}
		s.extra.Store(x)
	}
	return x
}

// resourceVersion is that of the last acknowledged answer; empty if the sink tells none.
func (s *Series) resourceVersion() string {
	if s.version != 0 {
		return strconv.FormatUint(s.version, 10)
	}
	return s.rare().version
}

func (s *Series) setResourceVersion(version string) {
	if s.version = 0; version != "" && version[0] != '0' {
		if n, err := strconv.ParseUint(version, 10, 64); err == nil {
			s.version, version = n, ""
		}
	}
	if s.rare().version != version {
		s.more().version = version
	}
}
