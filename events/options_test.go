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

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/publishing"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// Every option that makes no sense is reported by Start, by name, and the others work.
func TestInvalidOptionsAreReportedTogether(t *testing.T) {
	invalid := map[string]events.Option{
		"WithMaxInFlight(-1)":                           events.WithMaxInFlight(-1),
		"WithMaxSeries(-2)":                             events.WithMaxSeries(-2),
		"WithFinishInterval(-3s)":                       events.WithFinishInterval(-3 * time.Second),
		"WithRefreshInterval(-4s)":                      events.WithRefreshInterval(-4 * time.Second),
		"WithRetryFor(-5s)":                             events.WithRetryFor(-5 * time.Second),
		"WithWriteTimeout(-6s)":                         events.WithWriteTimeout(-6 * time.Second),
		"WithDrainTimeout(-7s)":                         events.WithDrainTimeout(-7 * time.Second),
		"WithNotes(an invalid NotePolicy)":              events.WithNotes(events.NotesDistinct(0)),
		`WithNotesFor("Failed", an invalid NotePolicy)`: events.WithNotesFor("Failed", events.NotesDistinct(0)),
		"WithObjectLimit(-8)":                           events.WithObjectLimit(-8),
		`WithClusterScopedNamespace("other")`:           events.WithClusterScopedNamespace("other"),
	}
	check := func(t *testing.T, want []string, opts ...events.Option) {
		t.Helper()
		b := events.NewBroadcaster(eventstest.NewSink(), append(opts, quiet)...)
		err := b.Start(t.Context())
		if err == nil {
			t.Fatal("Start reports nothing")
		}
		for _, option := range want {
			if !strings.Contains(err.Error(), "events: "+option+", want ") {
				t.Errorf("the error lacks %s: %v", option, err)
			}
		}
		if n := strings.Count(err.Error(), ", want "); n != len(want) {
			t.Errorf("%d problems, want %d: %v", n, len(want), err)
		}
		record(newRecorder(b), 1, "web")
		checkConserved(t, b.Stats())
		b.Shutdown()
	}
	var all []events.Option
	var names []string
	for name, option := range invalid {
		t.Run(name, func(t *testing.T) { check(t, []string{name}, option) })
		all, names = append(all, option), append(names, name)
	}
	t.Run("all", func(t *testing.T) { check(t, names, all...) })
	t.Run("retrying less than a series lasts", func(t *testing.T) {
		check(t, []string{"WithRetryFor(1m0s)"}, events.WithRetryFor(time.Minute))
	})
}

// The zero value stands for the default.
func TestZeroOptionsAreDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		b, rec := start(t, sink,
			events.WithMaxInFlight(0), events.WithMaxSeries(0), events.WithFinishInterval(0), events.WithRefreshInterval(0),
			events.WithRetryFor(0), events.WithWriteTimeout(0),
			events.WithDrainTimeout(0), events.WithReportingInstance(""), events.WithClusterScopedNamespace(""),
			events.WithClock(nil), events.WithObjectLimit(0),
			events.WithDropHandler(nil), events.WithNotes(events.NotesFirst))
		record(rec, 1, "web")
		time.Sleep(time.Second)
		record(rec, 1, "web")
		time.Sleep(time.Second)
		record(rec, 3, "web") // doubled: published 10 s after the last write
		time.Sleep(time.Minute)
		record(rec, 1, "web") // not doubled: written 6 min after the last occurrence
		time.Sleep(time.Hour)
		sink.check(t,
			"@0s create web", "@1s patch web count=2 last=@1s", "@11s patch web count=5 last=@2s",
			"@7m2s patch web count=6 last=@1m2s")
		if s := b.Stats(); s.Series != 0 {
			t.Errorf("%d series an hour later", s.Series)
		}
	})
}

// A finish interval beyond the default of WithRetryFor needs no second option.
func TestLongFinishInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		_, rec := start(t, sink, events.WithFinishInterval(3*time.Hour), literal)
		record(rec, 1, "web")
		time.Sleep(2 * time.Hour)
		record(rec, 1, "web")
		synctest.Wait()
		sink.check(t, "@0s create web", "@2h0m0s patch web count=2 last=@2h0m0s")
	})
}

func TestIntervals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		_, rec := start(t, sink, events.WithFinishInterval(time.Minute), events.WithRefreshInterval(10*time.Second),
			publishing.With(time.Second, 0, 0))
		for range 4 {
			record(rec, 1, "web")
			time.Sleep(300 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		record(rec, 1, "web") // refreshed after 10 s
		time.Sleep(time.Hour)
		sink.check(t,
			"@0s create web", "@300ms patch web count=2 last=@300ms", "@1.3s patch web count=4 last=@900ms",
			"@11.3s patch web count=5 last=@11.2s")
	})
}

// A namespace has half of the writes that may be under way, once it has answered.
func TestMaxInFlight(t *testing.T) {
	for most, want := range map[int]int64{1: 1, 2: 1, 4: 2, 64: 2} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := newTimeline()
				sink.SetLatency(time.Second / 2)
				_, rec := start(t, sink, events.WithMaxInFlight(most))
				for i := range 10 {
					record(rec, 1, fmt.Sprint("web-", i))
				}
				time.Sleep(time.Second / 4)
				if n := int64(len(sink.calls())); n != 1 {
					t.Errorf("%d writes at a time in a namespace that has not answered, want 1", n)
				}
				time.Sleep(time.Second / 2)
				if n := int64(len(sink.calls())) - 1; n != want {
					t.Errorf("%d writes at a time in one namespace, want %d", n, want)
				}
			})
		})
	}
}

// The time in events is the clock's, and so are the intervals.
func TestClock(t *testing.T) {
	then := time.Date(2020, 2, 29, 12, 0, 0, 123456789, time.UTC)
	fake := testingclock.NewFakeClock(then)
	sink := eventstest.NewSink()
	b, rec := start(t, sink, events.WithClock(clock.WithTicker(fake)), literal)
	record(rec, 1, "web")
	flush(t, b)
	if e := only(t, sink); !e.EventTime.Equal(ptr(micro(then))) {
		t.Errorf("eventTime %v, want %v", e.EventTime, then)
	}
	fake.Step(time.Hour)
	record(rec, 2, "web") // another Event: an hour is longer than the finish interval
	flush(t, b)
	if n := len(sink.Events()); n != 2 {
		t.Errorf("%d Events, want 2", n)
	}
}

func TestWriteTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, log := eventstest.NewSink(), &testlog.Log{}
		sink.Hold()
		_, rec := start(t, sink, events.WithWriteTimeout(3*time.Second), events.WithLogger(klog.New(log)))
		record(rec, 1, "web")
		time.Sleep(3*time.Second - 1)
		checkLog(t, sink, "")
		time.Sleep(2)
		synctest.Wait()
		checkLog(t, sink, "create pod/web Killing: context deadline exceeded\n")
	})
}

// Who means for ever says so in many ways: times that are added up must not run over.
//
// Caught: an interval without a bound, after which a third of the series is pending for ever.
func TestEndlessIntervals(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	for name, option := range map[string]events.Option{
		"finish": events.WithFinishInterval(forever), "refresh": events.WithRefreshInterval(forever),
		"publish": publishing.With(forever, 0, 0), "retry": events.WithRetryFor(forever),
		"write": events.WithWriteTimeout(forever), "drain": events.WithDrainTimeout(forever),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, rec := start(t, sink, option)
				for range 3 {
					for i := range 1000 {
						record(rec, 1, fmt.Sprint("web-", i))
					}
					time.Sleep(time.Minute)
				}
				flush(t, b)
				if n := len(sink.Events()); n != 1000 {
					t.Errorf("%d Events, want 1000", n)
				}
				if s := b.Stats(); s.Recorded != 3000 || s.Pending != 0 {
					t.Errorf("recorded %d, %d pending, want 3000 recorded", s.Recorded, s.Pending)
				}
			})
		})
	}
}
