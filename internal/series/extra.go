// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import "strconv"

// extra is what few series have.
type extra struct {
	dropped int64 // of the observed occurrences, those that are never to be written
	// maxUnconfirmed is the highest count that was sent without an answer since the
	// last acknowledged write.
	maxUnconfirmed int64
	annotations    *annotations // nil if there are none
	continuity     *continuity  // nil if the name of the Event is its own; set before the series is shared
	version        string       // the resourceVersion, if it is no number
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

// dropped is how many occurrences are never to be written.
func (s *Series) dropped() int64 {
	if x := s.extra.Load(); x != nil {
		return x.dropped
	}
	return 0
}

func (s *Series) maxUnconfirmed() int64 {
	if x := s.extra.Load(); x != nil {
		return x.maxUnconfirmed
	}
	return 0
}

func (s *Series) continuity() *continuity {
	if x := s.extra.Load(); x != nil {
		return x.continuity
	}
	return nil
}

// resourceVersion is that of the last acknowledged answer; empty if the sink tells none.
func (s *Series) resourceVersion() string {
	if s.version != 0 {
		return strconv.FormatUint(s.version, 10)
	}
	if x := s.extra.Load(); x != nil {
		return x.version
	}
	return ""
}

func (s *Series) setResourceVersion(version string) {
	s.version = 0
	if x := s.extra.Load(); x != nil {
		x.version = ""
	}
	if version == "" {
		return
	}
	n, err := strconv.ParseUint(version, 10, 64)
	if err == nil && version[0] != '0' {
		s.version = n
		return
	}
	s.more().version = version
}
