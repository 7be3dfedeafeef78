// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Subject is what a series is about.
type Subject struct {
	Regarding, Related   runtime.Object
	Type, Reason, Action string
}

// Series is one thing that occurs again and again, and what the server shows of
// it, in however many Events. The note may differ each time.
type Series struct {
	Subject
	component *Component

	// Under the server's lock.
	tally   Tally
	unshown []int64 // when those occurred that are not yet shown, in Unix nanoseconds
	run     run
}

// seriesKey tells the series of a component apart by what every Event has:
// tools/record knows no action.
type seriesKey struct {
	uid       types.UID
	fieldPath string
	eventType string
	reason    string
}

func (s *Subject) key() seriesKey {
	key := seriesKey{eventType: s.Type, reason: s.Reason}
	if ref, ok := s.Regarding.(*corev1.ObjectReference); ok {
		key.uid, key.fieldPath = ref.UID, ref.FieldPath
		return key
	}
	object, err := meta.Accessor(s.Regarding)
	if err != nil {
		panic(err) // a mistake of the script
	}
	key.uid = object.GetUID()
	return key
}

// Tally returns what became of what occurred.
func (s *Series) Tally() Tally {
	s.component.api.mu.Lock()
	defer s.component.api.mu.Unlock()
	return s.tally
}

// Occur makes it occur once more, now.
func (s *Series) Occur(note string, args ...any) {
	if !s.component.api.forgetful {
		s.component.api.occur(s)
	}
	s.component.recorder.Eventf(s.Regarding, s.Related, s.Type, s.Reason, s.Action, note, args...)
}

func (a *API) occur(s *Series) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now().UnixNano()
	s.run.occur(s, now, &a.doublings)
	s.tally.Occurrences++
	s.unshown = append(s.unshown, now)
	s.run.check(s, now)
}

// show is a write that arrives, makes the stored count more higher, and creates the Event or not. It shows the latest
// of the occurrences up to last that are not shown yet, and gives up on earlier ones.
func (s *Series) show(more int64, last, arrives time.Time, created bool) {
	api := s.component.api
	s.tally.Counted += more
	fresh := s.tally.Counted - s.tally.Shown
	if fresh <= 0 {
		return
	}
	s.tally.Shown = s.tally.Counted
	until := last.Add(time.Microsecond).UnixNano() // the wire has microseconds
	covered := sort.Search(len(s.unshown), func(i int) bool { return s.unshown[i] >= until })
	for i, occurred := range s.unshown[max(0, covered-int(fresh)):covered] {
		delay := time.Duration(arrives.UnixNano() - occurred)
		api.delays.Add(delay)
		if i == 0 && created {
			s.component.firsts = append(s.component.firsts, first{occurred, delay, s.Type == corev1.EventTypeWarning})
		}
	}
	s.unshown = s.unshown[covered:]
	s.run.shown(s, arrives.UnixNano(), &api.doublings)
}
