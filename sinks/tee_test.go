// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/sinks"
)

var errUnavailable = apierrors.NewServiceUnavailable("starting")

// The primary's answer is the answer, and the others see only what the broadcaster takes for stored.
//
// Caught: another reading of an answer than the broadcaster's.
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

// Failures of the others are counted, logged ever less often, and have no other effect.
func TestTeeCountsFailures(t *testing.T) {
	j := &testlog.Log{}
	ctx := klog.NewContext(t.Context(), klog.New(j))
	primary, broken, fine := eventstest.NewSink(), eventstest.NewSink(), eventstest.NewSink()
	broken.FailNext(-1, errUnavailable)
	tee := sinks.Tee(primary, broken, fine)
	const writes = 20
	for i := range writes {
		if _, err := tee.Create(ctx, newEvent(fmt.Sprint("e", i))); err != nil {
			t.Errorf("Create() = %v, want the primary's answer", err)
		}
	}
	if got := tee.Failed(); got != writes {
		t.Errorf("Failed() = %d, want %d", got, writes)
	}
	if got := len(fine.Events()); got != writes {
		t.Errorf("the sink behind the broken one has %d events, want %d", got, writes)
	}
	var failed []string
	for _, line := range j.Lines("") {
		_, n, _ := strings.Cut(line, "failed=")
		failed = append(failed, n)
	}
	if diff := cmp.Diff([]string{`"1"`, `"2"`, `"4"`, `"8"`, `"16"`}, failed); diff != "" {
		t.Errorf("failures logged (-want +got):\n%s", diff)
	}
}

// explosive is a sink that panics.
type explosive struct{}

func (explosive) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) { panic("oh") }

func (explosive) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	panic("oh")
}

// Other stores number their versions themselves: a patch made for the primary's is none of theirs.
//
// Caught: handing the primary's patch on as it is.
func TestTeeOtherVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		primary, other := eventstest.NewSink(), eventstest.NewSink()
		if _, err := other.Create(t.Context(), newEvent("older")); err != nil {
			t.Fatal(err)
		}
		tee := sinks.Tee(primary, other)
		b, rec := start(t, tee, klog.New(&testlog.Log{}))
		for range 3 {
			rec.AnnotatedEventf(newPod("web"), nil, map[string]string{"a": time.Now().String()},
				"Normal", "Killing", "Kill", "note")
			flush(t, b)
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

// Caught: versions of the primary in the patches for others.
func TestTeeConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		primary, broken, fine := eventstest.NewSink(), eventstest.NewSink(), eventstest.NewSink()
		broken.FailNext(-1, errUnavailable)
		tee := sinks.Tee(primary, broken, explosive{}, fine)
		b, rec := start(t, tee, klog.New(&testlog.Log{}))
		var all sync.WaitGroup
		const callers, each = 4, 50
		for range callers {
			all.Go(func() {
				for i := range each {
					emit(rec, 1, "Normal", fmt.Sprint("web-", i%20))
					_ = tee.Failed()
				}
			})
		}
		all.Wait()
		flush(t, b)
		n := primary.Counts()
		if got := fine.Counts(); got != n {
			t.Errorf("the last sink saw %+v, want %+v", got, n)
		}
		if got, want := tee.Failed(), 2*(n.Creates+n.Patches); got != want {
			t.Errorf("Failed() = %d, want %d", got, want)
		}
		if s := b.Stats(); s.Recorded != callers*each {
			t.Errorf("%+v, want %d recorded", s, callers*each)
		}
	})
}
