// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

var v1 = eventsv1.SchemeGroupVersion

// faultyStore is a small store that keeps the contract, except for its mistakes.
type faultyStore struct {
	mistakes

	mu     sync.Mutex // guards the rest
	last   int
	events map[string]*eventsv1.Event
}

type mistakes struct {
	oneNamespace        bool // forgets that there are several
	createsWithoutCount bool // forgets the series of a new event
	sharesArguments     bool // keeps what the event it was given refers to
	sharesAnswers       bool // hands out what it keeps
	addsCounts          bool // takes a count for an increment
	replacesAnnotations bool // forgets those that a patch does not name
	refusesUnknown      bool // fields in a patch
	storesWhole         bool // the event beside the patch, not the patch
	countsLooks         bool // gives a new version for a patch of {}
	ignoresVersions     bool // in a patch
	oneVersion          bool // for ever
	remembersMissing    bool // takes a name for taken that was only patched
	tellsNoVersion      bool // which is no mistake
}

func newFaultyStore(m mistakes) *faultyStore {
	return &faultyStore{mistakes: m, events: map[string]*eventsv1.Event{}}
}

func (s *faultyStore) key(event *eventsv1.Event) string {
	if s.oneNamespace {
		return event.Name
	}
	return event.Namespace + "/" + event.Name
}

func (s *faultyStore) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, taken := s.events[s.key(event)]; taken {
		return nil, rules.AlreadyExists(v1, event.Name)
	}
	kept := event.DeepCopy()
	if s.sharesArguments {
		*kept = *event
	}
	if s.createsWithoutCount {
		kept.Series = nil
	}
	s.events[s.key(event)] = kept
	return s.stored(kept), nil
}

func (s *faultyStore) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kept, there := s.events[s.key(event)]
	if !there || kept == nil {
		if s.remembersMissing {
			s.events[s.key(event)] = nil
		}
		return nil, rules.NotFound(v1, event.Name)
	}
	var body struct {
		Metadata        struct{ ResourceVersion string }
		OfALaterVersion any
	}
	if err := json.Unmarshal(patch, &body); err != nil || s.refusesUnknown && body.OfALaterVersion != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprint("unknown field, or ", err))
	}
	sent := body.Metadata.ResourceVersion
	if sent != "" && sent != kept.ResourceVersion && !s.ignoresVersions && !s.oneVersion {
		return nil, rules.Conflict(v1, event.Name)
	}
	if string(patch) == "{}" && !s.storesWhole && !s.countsLooks {
		return s.answer(kept), nil
	}
	return s.stored(s.merge(kept, event, patch)), nil
}

func (s *faultyStore) merge(kept, event *eventsv1.Event, patch []byte) *eventsv1.Event {
	if s.storesWhole {
		version := kept.ResourceVersion
		event.DeepCopyInto(kept)
		kept.ResourceVersion = version
		return kept
	}
	before := kept.DeepCopy()
	if s.replacesAnnotations && bytes.Contains(patch, []byte(`"annotations"`)) {
		kept.Annotations = nil
	}
	if err := json.Unmarshal(patch, kept); err != nil { // merges, too
		panic(err)
	}
	if s.addsCounts && before.Series != nil && string(patch) != "{}" {
		kept.Series.Count += before.Series.Count
	}
	return kept
}

// stored gives kept a new version.
func (s *faultyStore) stored(kept *eventsv1.Event) *eventsv1.Event {
	if s.last++; s.oneVersion {
		s.last = 1
	}
	kept.ResourceVersion = strconv.Itoa(s.last)
	return s.answer(kept)
}

func (s *faultyStore) answer(kept *eventsv1.Event) *eventsv1.Event {
	if s.sharesAnswers {
		return kept
	}
	kept = kept.DeepCopy()
	if s.tellsNoVersion {
		kept.ResourceVersion = ""
	}
	return kept
}
