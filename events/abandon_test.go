// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// What Drain's contract says of what it cannot write; drain_test.go has the rest of it.

// "The error is *AbandonedError and wraps ctx.Err()." What was sent and never answered is unconfirmed; what was not
// even sent is not.
func TestDrainReportsWhatIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		record(rec, 1, "web-0")
		flush(t, b)
		sink.Hold()
		for i := range 50 {
			record(rec, 2, fmt.Sprint("web-", i))
		}
		synctest.Wait()
		record(rec, 10, "web-0") // a patch to 3 or less is in flight
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := b.Drain(ctx)
		var lost *events.AbandonedError
		if !errors.As(err, &lost) || !errors.Is(err, context.Canceled) {
			t.Fatalf("Drain: %v", err)
		}
		if lost.Occurrences != 110 || lost.Series != 50 || lost.Stuck != 0 {
			t.Errorf("%+v, want 110 occurrences of 50 series", lost)
		}
		// One namespace has half of the 4 writes, each with at most 2 occurrences that nobody has.
		if lost.Unconfirmed < 2 || lost.Unconfirmed > 4 {
			t.Errorf("%d unconfirmed, want those of the 2 writes in flight", lost.Unconfirmed)
		}
		if n := len(sink.Calls()); n != 1+2 {
			t.Errorf("%d calls, want none that began after the end:\n%s", n, sink.Log())
		}
		for _, want := range []string{"110 occurrences", "50 series", context.Canceled.Error()} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the message lacks %q: %v", want, err)
			}
		}
		if s := b.Stats(); s.Unconfirmed != lost.Unconfirmed {
			t.Errorf("Stats has %d unconfirmed, the error %d", s.Unconfirmed, lost.Unconfirmed)
		}
	})
}

// An answer that got lost is unconfirmed, too, and the server has it.
func TestDrainUnconfirmedIsWhatTheServerMayHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		record(rec, 4, "web")
		flush(t, b)
		record(rec, 3, "web")
		sink.LoseNext(-1, errTimeout)
		lost := drain(t, b, time.Second)
		s := b.Stats()
		if lost == nil || lost.Occurrences != 3 || lost.Unconfirmed != 3 || s.Recorded != 4 {
			t.Errorf("Drain: %+v, recorded %d, want 3 unconfirmed beyond 4", lost, s.Recorded)
		}
		if e := only(t, sink); count(&e) != 7 {
			t.Errorf("the server counts %d, want recorded + unconfirmed", count(&e))
		}
	})
}

// The error has an object of the series that lost most, and what the server says to it.
func TestDrainSaysWhatHeldItUp(t *testing.T) {
	unreachable := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for want, fail := range map[string]func(*eventstest.Sink){
		errForbidden.Error():   func(s *eventstest.Sink) { s.FailNext(-1, errForbidden) },
		errUnavailable.Error(): func(s *eventstest.Sink) { s.FailNext(-1, errUnavailable) },
		unreachable.Error():    func(s *eventstest.Sink) { s.FailNext(-1, unreachable) },
		"none":                 (*eventstest.Sink).Hold,
		"":                     func(s *eventstest.Sink) { s.SetLatency(time.Second / 2) },
	} {
		t.Run(want, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				fail(sink)
				b, rec := start(t, sink)
				for i := range 50 {
					record(rec, 1+i, fmt.Sprint("web-", i))
				}
				lost := drain(t, b, 2*time.Second)
				if lost == nil || len(lost.Busiest) != 1 {
					t.Fatalf("%+v, want one namespace", lost)
				}
				in := lost.Busiest[0]
				if in.LastError != want || in.Regarding.Kind != "Pod" || in.Namespace != "default" || in.Occurrences != lost.Occurrences {
					t.Errorf("%+v, want the last error %q", lost, want)
				}
				if want != "" && in.Regarding.Name != "web-49" {
					t.Errorf("it names %s, want what lost most", in.Regarding.Name)
				}
			})
		})
	}
}

// The loss is told by type and by namespace: the three that lost most, with the object that lost most in each.
func TestDrainNamesTheBusiest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		rec := newRecorder(b)
		for i, namespace := range []string{"a", "b", "c", "d"} {
			for _, name := range []string{"few", "many", "many"} {
				for range i + 1 {
					rec.Eventf(newPodIn(namespace, name), nil, "Warning", "Failed", "Fail", "")
				}
			}
		}
		record(rec, 1, "web")
		lost := drain(t, b, time.Second)
		var got []string
		for _, in := range lost.Busiest {
			got = append(got, fmt.Sprint(in.Namespace, " ", in.Occurrences, " ", in.Regarding.Name))
		}
		if want := []string{"d 12 many", "c 9 many", "b 6 many"}; !slices.Equal(got, want) || lost.Occurrences != 31 || lost.Warnings != 30 {
			t.Errorf("%d occurrences, %d Warnings, most in %v, want 31, 30 and %v", lost.Occurrences, lost.Warnings, got, want)
		}
	})
}

// "Before Start: abandons what is pending."
func TestDrainBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet)
		rec := newRecorder(b)
		record(rec, 2, "web")
		lost := drain(t, b, time.Second)
		if lost == nil || lost.Occurrences != 2 || lost.Series != 1 || lost.Unconfirmed != 0 {
			t.Errorf("Drain: %+v, want 2 occurrences of 1 series, none sent", lost)
		}
		record(rec, 1, "web")
		checkDropped(t, b, map[events.DropReason]int64{events.Abandoned: 2, events.Stopped: 1})
		if err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "drained") {
			t.Errorf("Start after Drain: %v", err)
		}
		checkLog(t, sink, "")
		if lost := drain(t, events.NewBroadcaster(sink, quiet), time.Second); lost != nil {
			t.Errorf("Drain of nothing: %v", lost)
		}
	})
}
