// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// full returns a broadcaster with room for four, whose sink answers nothing, so
// that the first occurrence recorded is on its way for good.
func full(t *testing.T, lost *[]string) (*Broadcaster, func(name, eventType, message string), func()) {
	t.Helper()
	held := make(chan struct{})
	sink := &server{script: func(sinkCall) error { <-held; return nil }}
	b, recorder := recordTo(sink, withQueueSize(4), WithWorkers(1), WithDropHandler(func(d events.Drop) {
		*lost = append(*lost, fmt.Sprintf("%s %s %s", d.Reason, d.Regarding.Name, d.Type))
	}))
	add := func(name, eventType, message string) { recorder.Event(pod(name), eventType, "Started", message) }
	add("flying", "Normal", "0")
	synctest.Wait()
	return b, add, func() {
		close(held)
		b.Shutdown()
	}
}

func TestQueueFull(t *testing.T) {
	tests := map[string]struct {
		add  func(add func(name, eventType, message string))
		want []string
	}{
		"a Normal newcomer is turned away": {func(add func(_, _, _ string)) {
			add("a", "Warning", "1")
			add("a", "Normal", "2")
			add("b", "Normal", "3")
			add("c", "Normal", "4")
			add("a", "Normal", "5")
		}, []string{"QueueFull c Normal", "QueueFull a Normal"}},
		"a Warning pushes out the oldest Normal that waits": {func(add func(_, _, _ string)) {
			add("a", "Warning", "1")
			add("b", "Normal", "2")
			add("a", "Normal", "3")
			add("flying", "Warning", "4")
			add("a", "Warning", "5")
		}, []string{"QueueFull b Normal", "QueueFull a Normal"}},
		"a Warning pushes out no Warning and nothing in flight": {func(add func(_, _, _ string)) {
			for i := range 3 {
				add("a", "Warning", fmt.Sprint(i))
			}
			add("b", "Warning", "4")
		}, []string{"QueueFull b Warning"}},
		"objects whose last occurrence was dropped make room for others": {func(add func(_, _, _ string)) {
			add("a", "Normal", "1")
			add("b", "Normal", "2")
			add("c", "Normal", "3")
			add("a", "Warning", "4") // pushes out a's own
			add("a", "Warning", "5") // pushes out b's only one
			add("d", "Warning", "6")
		}, []string{"QueueFull a Normal", "QueueFull b Normal", "QueueFull c Normal"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var lost []string
				b, add, finish := full(t, &lost)
				test.add(add)
				if diff := cmp.Diff(test.want, lost); diff != "" {
					t.Errorf("dropped (-want +got):\n%s", diff)
				}
				checkStats(t, b.Stats(), map[string]int64{"QueueFull": int64(len(test.want)), "Pending": 4})
				finish()
				checkStats(t, b.Stats(), map[string]int64{"QueueFull": int64(len(test.want)), "Recorded": 4})
				if n := len(b.writers); n != 0 {
					t.Errorf("%d sinks left", n)
				}
			})
		})
	}
}

// What client-go's correlator has counted is never dropped: the count of the next
// occurrence includes it, and the server would have more than was recorded. The queue is
// full of Normals; the oldest has been tried, and refused for the moment.
func TestCountedOccurrencesDoNotGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: failing(status(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests))}
		b, recorder := recordTo(sink, withQueueSize(2), WithWorkers(1))
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait()
		recorder.Event(pod("a"), "Normal", "Started", "m")
		recorder.Event(pod("b"), "Warning", "Failed", "m") // pushes one of the others out
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder.Event(pod("a"), "Normal", "Started", "m")
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 3, "QueueFull": 1, "Unconfirmed": 0})
		var onServer int64
		for _, event := range sink.stored {
			onServer += int64(event.Count)
		}
		if onServer != 3 {
			t.Errorf("%d occurrences on the server, want the 3 that are recorded: %q", onServer, sink.lines())
		}
	})
}

// What waits behind an outage of more than an hour is dropped little by little.
func TestOldOccurrencesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost []string
		b, add, finish := full(t, &lost)
		for i := range 3 {
			add("a", "Warning", fmt.Sprint(i))
		}
		time.Sleep(61 * time.Minute)
		add("b", "Normal", "new")
		want := []string{"TooOld a Warning", "TooOld a Warning"}
		if diff := cmp.Diff(want, lost); diff != "" {
			t.Errorf("dropped (-want +got):\n%s", diff)
		}
		finish()
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 2, "Recorded": 3})
	})
}

// Objects whose last occurrence was too old leave room for others, before the writer comes to them.
func TestExpiredObjectsLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost []string
		b, add, finish := full(t, &lost)
		for _, name := range []string{"a", "b", "c"} {
			add(name, "Warning", "m")
		}
		time.Sleep(61 * time.Minute)
		add("d", "Normal", "m")
		add("a", "Normal", "m")
		want := []string{"TooOld a Warning", "TooOld b Warning", "TooOld c Warning"}
		if diff := cmp.Diff(want, lost); diff != "" {
			t.Errorf("dropped (-want +got):\n%s", diff)
		}
		finish()
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 3, "Recorded": 3})
	})
}

// What an occurrence is queued for, before the correlator is asked about it and after, and whether it is dropped because
// its namespace has refused a create as terminating, which doomed has.
//
// Caught: no rule for such namespaces, or one without its minute; repeats that are dropped, too; classes mixed up.
func TestBacklogClass(t *testing.T) {
	refused := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		namespace, eventType string
		at                   time.Duration // since the refusal
		count                int32         // that the correlator answers
		queued, correlated   request.Class
		dropped              bool
	}{
		"a first Warning":           {"calm", "Warning", 0, 1, request.FirstWarning, request.FirstWarning, false},
		"a first Normal":            {"calm", "Normal", 0, 1, request.FirstNormal, request.FirstNormal, false},
		"a second one":              {"calm", "Warning", 0, 2, request.FirstWarning, request.Second, false},
		"a third one":               {"calm", "Normal", 0, 3, request.FirstNormal, request.Count, false},
		"before the refusal":        {"doomed", "Warning", -1, 1, request.Count, request.FirstWarning, true},
		"a repeat before it":        {"doomed", "Warning", -1, 3, request.Count, request.Count, false},
		"long before it":            {"doomed", "Normal", -time.Hour, 1, request.Count, request.FirstNormal, true},
		"at the refusal":            {"doomed", "Normal", 0, 1, request.Count, request.FirstNormal, false},
		"a second one at it":        {"doomed", "Normal", 0, 2, request.Count, request.Second, false},
		"just within the minute":    {"doomed", "Normal", time.Minute - 1, 1, request.Count, request.FirstNormal, false},
		"a Normal after the minute": {"doomed", "Normal", time.Minute, 1, request.FirstNormal, request.FirstNormal, false},
		"a Warning after it":        {"doomed", "Warning", time.Minute, 1, request.FirstWarning, request.FirstWarning, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBacklog(10, keyOf, &stats.LabelSets{})
			b.terminating.add("doomed", refused)
			now := refused.Add(test.at)
			q, _, _ := b.add(&recorded{
				recorder: &Recorder{}, object: *podIn(test.namespace, "a"), eventType: test.eventType, at: now,
			}, now, nil)
			got := []request.Class{q.class}
			o := b.begin(q)
			asked, _ := b.release(q)
			o.answer, o.op = correlated{event: &corev1.Event{Count: test.count}}, request.Create
			if test.count > 1 {
				o.op = request.Patch
			}
			b.begin(q)
			answered, _ := b.release(q)
			got = append(got, asked, answered)
			if diff := cmp.Diff([]request.Class{test.queued, test.queued, test.correlated}, got); diff != "" {
				t.Errorf("queued for, when it is recorded, tried and correlated (-want +got):\n%s", diff)
			}
			s := &sinkWriter{backlog: b, log: &faultLog{}, onDrop: func(drop) {}}
			if dropped := s.refused(o); dropped != test.dropped {
				t.Errorf("dropped: %v, want %v", dropped, test.dropped)
			}
		})
	}
}
