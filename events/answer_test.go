// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/publishing"
)

// I4: state says "recorded" only after the server answered.
func TestI4RecordedOnlyAfterAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink, events.WithWriteTimeout(time.Hour))
		check := func(when string, recorded, pending int64) {
			t.Helper()
			synctest.Wait()
			s := b.Stats()
			if s.Recorded != recorded || s.Pending != pending {
				t.Errorf("%s: recorded %d, pending %d, want %d and %d", when, s.Recorded, s.Pending, recorded, pending)
			}
		}
		sink.Hold()
		record(rec, 1, "web")
		check("create in flight", 0, 1)
		sink.Release()
		check("create answered", 1, 0)
		sink.Hold()
		record(rec, 1, "web")
		synctest.Wait()
		record(rec, 4, "web")
		check("patch in flight", 1, 5)
		sink.LoseNext(2, errTimeout) // after the first one it is sent again at once
		sink.Release()
		check("patch stored, answer lost", 1, 5)
		if e := only(t, sink); count(&e) != 2 {
			t.Errorf("the server counts %d, want the 2 of the lost patch", count(&e))
		}
		flush(t, b)
		check("patch answered", 6, 0)
		sink.Expire("default", only(t, sink).Name)
		check("expired", 6, 0)
		sink.Hold()
		record(rec, 6, "web")
		time.Sleep(time.Minute)
		check("re-creation in flight", 6, 6)
		sink.Release()
		check("re-created", 12, 0)
		if e := only(t, sink); count(&e) != 12 {
			t.Errorf("the server counts %d, want the full 12", count(&e))
		}
	})
}

// curious is a sink that uses the broadcaster it serves.
type curious struct {
	*eventstest.Sink
	b   *events.Broadcaster
	rec *events.Recorder
}

func (s *curious) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.use(e)
	return s.Sink.Create(ctx, e)
}

func (s *curious) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.use(e)
	return s.Sink.Patch(ctx, e, patch)
}

func (s *curious) use(e *eventsv1.Event) {
	s.b.Stats()
	if e.Regarding.Name == "web" && count(e) < 100 {
		record(s.rec, 1, "web") // the very series that is being written
		record(s.rec, 1, "other")
	}
}

// I4: no lock is held across a Sink call.
func TestI4NoLockAcrossASinkCall(t *testing.T) {
	sink := &curious{Sink: eventstest.NewSink()}
	sink.b = events.NewBroadcaster(sink, quiet, publishing.With(time.Nanosecond, 0, 0))
	sink.rec = newRecorder(sink.b)
	record(sink.rec, 1, "web")
	finished(t, func() {
		if err := sink.b.Start(t.Context()); err != nil {
			t.Error(err)
		}
		flush(t, sink.b)
		sink.b.Shutdown()
	})
	checkConserved(t, sink.b.Stats())
}

// versioned is a sink that answers with a version of its own making.
type versioned struct {
	*eventstest.Sink
	version string
	patches []string
}

func (s *versioned) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := s.Sink.Create(ctx, e)
	stored.ResourceVersion = s.version
	return stored, err
}

func (s *versioned) Patch(_ context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.patches = append(s.patches, string(patch))
	return e, nil
}

// What a series keeps of an answer is bounded; without a version its patches are unconditional.
//
// Caught: a version of any length that is kept; a bound that is one too low.
func TestVersionsOfAnswersAreBounded(t *testing.T) {
	for length, kept := range map[int]bool{20: true, 128: true, 129: false, 1 << 20: false} {
		synctest.Test(t, func(t *testing.T) {
			sink := &versioned{Sink: eventstest.NewSink(), version: strings.Repeat("7", length)}
			b, rec := start(t, sink)
			for range 2 {
				record(rec, 1, "web")
				flush(t, b)
			}
			if len(sink.patches) != 1 || strings.Contains(sink.patches[0], sink.version) != kept {
				t.Errorf("a version of %d bytes: patches %.200q, want it kept: %v", length, sink.patches, kept)
			}
		})
	}
}
