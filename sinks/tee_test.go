// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/sinks"
)

var errUnavailable = apierrors.NewServiceUnavailable("starting")

// The answer of the primary is the answer of a Tee. The other sinks get only writes that the
// broadcaster takes for stored.
//
// Caught: a Tee that classifies an answer in another way than the broadcaster.
func TestTeeAnswers(t *testing.T) {
	exists := apierrors.NewAlreadyExists(schema.GroupResource{Resource: "events"}, "a")
	denied := apierrors.NewAlreadyExists(schema.GroupResource{Resource: "events"}, "a")
	denied.ErrStatus.Message = `admission webhook "w.example.com" denied the request: it exists`
	tests := []struct {
		name    string
		primary error // to both calls
		creates int64 // that the others see
		patches int64
	}{
		{"stored", nil, 1, 1},
		{"already exists: our own earlier attempt, which nobody was told of", exists, 1, 1},
		{"a webhook that says so", denied, 0, 0},
		{"unavailable", errUnavailable, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			primary, second, third := eventstest.NewSink(), eventstest.NewSink(), eventstest.NewSink()
			tee := sinks.Tee(primary, second, third)
			if tt.primary != nil {
				primary.FailNext(-1, tt.primary)
			}
			stored, err := tee.Create(t.Context(), newEvent("a"))
			if !errors.Is(err, tt.primary) || err == nil && stored.ResourceVersion == "" {
				t.Errorf("Create() = %v, %v, want the primary's answer", stored, err)
			}
			e, patch := counted("a", 2)
			stored, err = tee.Patch(t.Context(), e, patch)
			if !errors.Is(err, tt.primary) || err == nil && stored.Series.Count != 2 {
				t.Errorf("Patch() = %v, %v, want the primary's answer", stored, err)
			}
			e.Series = nil
			_, _ = tee.Patch(t.Context(), e, []byte("{}")) // asks what is stored: nothing to show
			for _, other := range []*eventstest.Sink{second, third} {
				want := eventstest.Counts{Creates: tt.creates, Patches: tt.patches}
				if got := other.Counts(); got != want {
					t.Errorf("another sink saw %+v, want %+v", got, want)
				}
			}
			if got := tee.Failed(); got != 0 {
				t.Errorf("Failed() = %d, want 0", got)
			}
		})
	}
}

// Failures of the other sinks are counted, are logged less and less often, and have no other effect.
func TestTeeCountsFailures(t *testing.T) {
	j := &testlog.Log{}
	ctx := klog.NewContext(t.Context(), klog.New(j))
	primary, broken, fine := eventstest.NewSink(), eventstest.NewSink(), eventstest.NewSink()
	broken.FailNext(-1, errUnavailable)
	tee := sinks.Tee(primary, broken, explosive{}, fine)
	const writes = 20
	for i := range writes {
		if _, err := tee.Create(ctx, newEvent(fmt.Sprint("e", i))); err != nil {
			t.Errorf("Create() = %v, want the primary's answer", err)
		}
	}
	if got := tee.Failed(); got != 2*writes {
		t.Errorf("Failed() = %d, want %d", got, 2*writes)
	}
	if got := len(fine.Events()); got != writes {
		t.Errorf("the sink behind the broken ones has %d events, want %d", got, writes)
	}
	var failed []string
	for _, line := range j.Lines("") {
		_, n, _ := strings.Cut(line, "failed=")
		failed = append(failed, n)
	}
	if diff := cmp.Diff([]string{`"1"`, `"2"`, `"4"`, `"8"`, `"16"`, `"32"`}, failed); diff != "" {
		t.Errorf("failures logged (-want +got):\n%s", diff)
	}
}

// explosive is a sink that panics.
type explosive struct{ events.Sink }

func (explosive) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) { panic("oh") }

// Each store has its own resourceVersions, so another store cannot use a patch with a version of
// the primary.
//
// Caught: a patch that is passed on unchanged.
func TestTeeOtherVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		primary, other := eventstest.NewSink(), eventstest.NewSink()
		if _, err := other.Create(t.Context(), newEvent("older")); err != nil {
			t.Fatal(err)
		}
		tee := sinks.Tee(primary, other)
		b, rec := start(t, tee, klog.New(&testlog.Log{}))
		for range 3 {
			rec.AnnotatedEventf(fixture.Pod("default", "web"), nil, map[string]string{"a": time.Now().String()},
				"Normal", "Killing", "Kill", "note")
			fixture.Flush(t, b)
			time.Sleep(time.Second)
		}
		written := func(s *eventstest.Sink) eventsv1.Event {
			e := s.Events()[len(s.Events())-1]
			e.ResourceVersion, e.UID = "", ""
			return e
		}
		if diff := cmp.Diff(written(primary), written(other)); diff != "" || tee.Failed() != 0 {
			t.Errorf("Failed() = %d, the others have (-primary +other):\n%s", tee.Failed(), diff)
		}
	})
}

func isWarning(e *eventsv1.Event) bool { return e.Type == "Warning" }

func nothing(*eventsv1.Event) bool { return false }

// If the primary filters an Event, the answer of the next sink counts, so its failures are retried.
//
// Caught: a Normal that is dropped because the API server should not have it; one whose only sink
// is not retried.
func TestTeeOfAFilteredPrimary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, all, none := eventstest.NewSink(), eventstest.NewSink(), eventstest.NewSink()
		tee := sinks.Tee(sinks.Filter(server, isWarning), sinks.Filter(none, nothing), all)
		b, rec := start(t, tee, klog.Logger{})
		all.FailNext(1, errUnavailable)
		emit(rec, 1, "Normal", "web")
		fixture.Flush(t, b)
		// One occurrence each, because a worker may write the first of several before the last is
		// recorded.
		emit(rec, 1, "Normal", "web")
		fixture.Flush(t, b)
		emit(rec, 1, "Warning", "web")
		fixture.Flush(t, b)
		const want = "create pod/web Killing: ServiceUnavailable\ncreate pod/web Killing\npatch pod/web Killing count=2\ncreate pod/web Killing\n"
		if got := all.Log(); got != want {
			t.Errorf("the sink of everything saw\n%swant\n%s", got, want)
		}
		if got := server.Events(); len(got) != 1 || got[0].Type != "Warning" {
			t.Errorf("the server has %v, want the Warning", got)
		}
		if s := b.Stats(); s.Recorded != 3 || s.Pending != 0 || s.Dropped[events.DropFiltered] != 0 {
			t.Errorf("accounts %+v, want 3 recorded", s)
		}
		left := sinks.Filter(server, nothing)
		if _, err := sinks.Tee(left, left).Create(t.Context(), newEvent("a")); !errors.Is(err, events.ErrFiltered) {
			t.Errorf("what all leave out: %v, want ErrFiltered", err)
		}
		if n := tee.Failed(); n != 0 || len(none.Events()) != 0 {
			t.Errorf("%d failures, %v in the sink of nothing; want none", n, none.Events())
		}
	})
}

// buffer is a sink with a buffer.
type buffer struct {
	events.Sink
	flush func(context.Context) error
}

func (b *buffer) Flush(ctx context.Context) error { return b.flush(ctx) }

// A flush reaches every sink that has a buffer, even if other sinks fail or panic.
func TestFlushIsPassedOn(t *testing.T) {
	full, flushed := errors.New("the disk is full"), 0
	fine := &buffer{sinks.JSONLines(io.Discard), func(context.Context) error { flushed++; return nil }}
	sink := sinks.Tee(sinks.Filter(fine, isWarning), eventstest.NewSink(),
		&buffer{sinks.JSONLines(io.Discard), func(context.Context) error { panic("no disk") }},
		&buffer{sinks.JSONLines(io.Discard), func(context.Context) error { return full }},
		sinks.Tee(sinks.Filter(eventstest.NewSink(), isWarning), fine))
	if err := sink.Flush(t.Context()); !errors.Is(err, full) || err.Error() != "panicked: no disk\nthe disk is full" {
		t.Errorf("Flush() = %v, want both failures", err)
	}
	if flushed != 2 {
		t.Errorf("%d sinks flushed, want 2", flushed)
	}
}
