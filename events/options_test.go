// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// Start reports every invalid option by its name. The other options have their effect.
func TestInvalidOptionsAreReportedTogether(t *testing.T) {
	invalid := map[string]events.Option{
		"WithMaxSeries(-2), want ":                           events.WithMaxSeries(-2),
		"WithFinishInterval(-3s), want ":                     events.WithFinishInterval(-3 * time.Second),
		"WithRefreshInterval(-4s), want ":                    events.WithRefreshInterval(-4 * time.Second),
		"WithDrainTimeout(-7s), want ":                       events.WithDrainTimeout(-7 * time.Second),
		"WithNotePolicy(NotesDistinct(0)), want ":            events.WithNotePolicy(events.NotesDistinct(0)),
		`WithNotePolicy(NotesDistinct(-1), "Failed"), want `: events.WithNotePolicy(events.NotesDistinct(-1), "Failed"),
		"WithMaxSeriesPerObject(-8), want ":                  events.WithMaxSeriesPerObject(-8),
		`WithLabels: label "a b"="1"`:                        events.WithLabels(map[string]string{"a b": "1"}),
		`WithLabels: label "zone"="-"`:                       events.WithLabels(map[string]string{"zone": "-"}),
	}
	check := func(t *testing.T, want []string, opts ...events.Option) {
		t.Helper()
		inBubbleUnstarted(t, opts, func(r *rig) {
			err := r.b.Start(r.Context())
			if err == nil {
				r.Fatal("Start reports nothing")
			}
			for _, option := range want {
				if !strings.Contains(err.Error(), "events: "+option) {
					r.Errorf("the error lacks %s: %v", option, err)
				}
			}
			if n := strings.Count(err.Error(), "\n") + 1; n != len(want) {
				r.Errorf("%d problems, want %d: %v", n, len(want), err)
			}
			r.record(1, "web")
		})
	}
	var all options
	var names []string
	for name, option := range invalid {
		t.Run(name, func(t *testing.T) { check(t, []string{name}, option) })
		all, names = append(all, option), append(names, name)
	}
	t.Run("all", func(t *testing.T) { check(t, names, all...) })
}

// The times at which a series is written, with the zero value of each option, which stands for the
// default, and with other values. A finish interval of more than an hour is also the time for which
// a series is retried.
func TestIntervals(t *testing.T) {
	zero := options{
		tuning.MaxInFlight(0), events.WithMaxSeries(0), events.WithFinishInterval(0), events.WithRefreshInterval(0),
		tuning.RetryFor(0), tuning.WriteTimeout(0), events.WithDrainTimeout(0), events.WithReportingInstance(""),
		events.WithClock(nil), events.WithMaxSeriesPerObject(0),
		events.WithNotePolicy(events.NotesFirst), events.WithContextAnnotations(nil),
		events.WithObjectAnnotations(nil), events.WithLabels(nil),
	}
	for name, row := range map[string]struct {
		opts options
		want string
	}{
		"defaults": {zero, "@1s patch web count=2 last=@1s\n@11s patch web count=5 last=@2s\n@7m2s patch web count=6 last=@1m2s"},
		"short": {
			options{events.WithFinishInterval(2 * time.Minute), events.WithRefreshInterval(45 * time.Second), tuning.Publishing(2*time.Second, 0, 0)},
			"@1s patch web count=2 last=@1s\n@3s patch web count=5 last=@2s\n@1m2s patch web count=6 last=@1m2s",
		},
		"long": {
			options{events.WithFinishInterval(3 * time.Hour), literal},
			"@1s patch web count=2 last=@1s\n@30m1s patch web count=6 last=@1m2s",
		},
	} {
		subtest(t, name, row.opts, func(r *rig) {
			r.record(1, "web")
			time.Sleep(time.Second)
			r.record(1, "web")
			time.Sleep(time.Second)
			r.record(3, "web")
			time.Sleep(time.Minute)
			r.record(1, "web")
			time.Sleep(time.Hour)
			r.checkTimeline("@0s create web", row.want)
		})
	}
}

// The times in Events and the intervals follow the clock of WithClock.
func TestClock(t *testing.T) {
	then := time.Date(2020, 2, 29, 12, 0, 0, 123456789, time.UTC)
	fake := testingclock.NewFakeClock(then)
	sink := eventstest.NewSink()
	b, rec := start(t, sink, events.WithClock(clock.WithTicker(fake)), literal)
	record(rec, 1, "web")
	fixture.Flush(t, b)
	if e := only(t, sink); !e.EventTime.Time.Equal(then.Truncate(time.Microsecond)) {
		t.Errorf("eventTime %v, want %v", e.EventTime, then)
	}
	fake.Step(time.Hour)
	record(rec, 2, "web") // another Event: an hour is longer than the finish interval
	fixture.Flush(t, b)
	if n := len(sink.Events()); n != 2 {
		t.Errorf("%d Events, want 2", n)
	}
}

func TestWriteTimeout(t *testing.T) {
	inBubble(t, options{tuning.WriteTimeout(3 * time.Second)}, func(r *rig) {
		r.sink.Hold()
		r.record(1, "web")
		time.Sleep(3*time.Second - 1)
		r.diff("answers", "", r.sink.Log())
		time.Sleep(2)
		synctest.Wait()
		r.diff("answers", "create pod/web Killing: context deadline exceeded\n", r.sink.Log())
	})
}

// People write very long durations to say "for ever". Sums of such times must not overflow.
func TestEndlessIntervals(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	for name, option := range map[string]events.Option{
		"finish": events.WithFinishInterval(forever), "refresh": events.WithRefreshInterval(forever),
		"publish": tuning.Publishing(forever, 0, 0), "retry": tuning.RetryFor(forever),
		"write": tuning.WriteTimeout(forever), "drain": events.WithDrainTimeout(forever),
	} {
		subtest(t, name, options{option}, func(r *rig) {
			for range 3 {
				for i := range 100 {
					r.record(1, fmt.Sprint("web-", i))
				}
				time.Sleep(time.Minute)
			}
			r.flush()
			if s := r.b.Stats(); len(r.sink.Events()) != 100 || s.Recorded != 300 || s.Pending != 0 {
				r.Errorf("%d Events, recorded %d, %d pending, want 100 and 300 recorded", len(r.sink.Events()), s.Recorded, s.Pending)
			}
		})
	}
}

// A recorder without a scheme looks up kinds in the scheme of WithScheme.
//
// Caught: the option is ignored; the option takes precedence over the scheme of the recorder.
func TestWithScheme(t *testing.T) {
	known := runtime.NewScheme()
	known.AddKnownTypeWithName(corev1.SchemeGroupVersion.WithKind("Shop"), &corev1.Pod{})
	for name, row := range map[string]struct {
		scheme *runtime.Scheme
		want   string
	}{
		"none":         {nil, "Shop"},
		"one's own":    {scheme.Scheme, "Pod"},
		"an empty one": {runtime.NewScheme(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			sink := eventstest.NewSink()
			b := events.NewBroadcaster(sink, quiet, events.WithScheme(known))
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
			b.Recorder(row.scheme, "example.com/test").Eventf(pod, nil, "Normal", "Killing", "Kill", "")
			fixture.Flush(t, b)
			kind := ""
			if stored := sink.Events(); len(stored) > 0 {
				kind = stored[0].Regarding.Kind
			}
			if kind != row.want {
				t.Errorf("kind %q, want %q", kind, row.want)
			}
		})
	}
}
