// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

func withQueueSize(n int) Option {
	return options.ForLegacy(func(c *options.Config) { c.QueueSize = n }, "")
}

// Package request decides what each answer means. This test checks which request follows, and that
// each occurrence is counted once.
func TestAnswers(t *testing.T) {
	const first, create, patch = `create a n=1 "m"`, `create a n=2 "m"`, `patch a n=2 "m"`
	notFound := apierrors.NewNotFound(eventResource, "a")
	for name, test := range map[string]struct {
		create, patch []error // the first answers; the later ones are successes
		expired       bool
		want          []string
		stats         map[string]int64
	}{
		"acknowledged":    {want: []string{first, patch}, stats: map[string]int64{"Creates": 1, "Patches": 1}},
		"our own attempt": {create: []error{apierrors.NewAlreadyExists(eventResource, "a")}, want: []string{first}},
		"unavailable": {
			create: []error{unavailable()}, patch: []error{unavailable()}, want: []string{first, first, patch, patch},
			stats: map[string]int64{"Recorded": 2, "Retries": 2},
		},
		"rejected":   {create: []error{status(422, "Invalid")}, stats: map[string]int64{"Rejected": 1}},
		"not wanted": {create: []error{events.ErrFiltered}, stats: map[string]int64{"Filtered": 1}},
		"perhaps taken, then rejected": {
			create: []error{status(504, "Timeout"), status(422, "Invalid")},
			stats:  map[string]int64{"Rejected": 1, "Unconfirmed": 1},
		},
		"expired": {
			patch: []error{notFound}, expired: true, want: []string{first, patch, create},
			stats: map[string]int64{"Recorded": 2, "Creates": 2},
		},
		"expired, without details": { // TestUpdateExpiredEvent of client-go
			patch: []error{status(404, "")}, expired: true, want: []string{first, patch, create},
			stats: map[string]int64{"Recorded": 2, "Creates": 2},
		},
		// The stored count is not known, so a patch sets it. Caught: every 409 taken for the answer
		// to an earlier attempt.
		"expired, and there again": {
			patch: []error{notFound}, want: []string{first, patch, create, patch},
			stats: map[string]int64{"Recorded": 2, "Creates": 1, "Patches": 1},
		},
		"conflict": {
			patch: []error{status(409, "Conflict")}, want: []string{first, patch, patch},
			stats: map[string]int64{"Recorded": 2, "Retries": 1},
		},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			sink := &server{script: failing(test.create...)}
			b, recorder := recordTo(sink)
			recorder.Event(pod("a"), "Normal", "Started", "m")
			time.Sleep(time.Minute)
			if len(test.want) > 1 {
				sink.answer(failing(test.patch...))
				if test.expired {
					sink.expire("a")
				}
				recorder.Event(pod("a"), "Normal", "Started", "m")
				time.Sleep(time.Minute)
			}
			b.Shutdown()
			if diff := cmp.Diff(test.want, sink.lines()); diff != "" && test.want != nil {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			checkStats(t, b.Stats(), test.stats)
			if recorded := b.Stats().Recorded; len(sink.stored()) > 0 && int64(sink.counted()) != recorded {
				t.Errorf("the server counts %d, %d are recorded", sink.counted(), recorded)
			}
		})
	}
}

// client-go makes a new Event that aggregates similar ones, and leaves these fields out.
func TestAggregateKeepsFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, labels, annotations := &server{}, map[string]string{"app": "web"}, map[string]string{"trace": "1"}
		b, _ := recordTo(sink)
		recorder := FromLegacy(b.Recorder(nil, kubelet).WithLabels(labels))
		for i := range 12 {
			recorder.AnnotatedEventf(pod("a"), pod("b"), annotations, "Normal", "Started", "Starting", "note %d", i)
		}
		b.Shutdown()
		for _, r := range sink.log {
			got := [...]any{
				r.Event.Action, r.Event.Related, r.Event.ReportingController, r.Event.ReportingInstance,
				r.Event.Labels, r.Event.Annotations, r.Event.EventTime.IsZero(),
			}
			want := [...]any{"Starting", pod("b"), "kubelet", "node-1", labels, annotations, true}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", r, diff)
			}
		}
		if got, want := sink.lines()[9], `create a n=1 "(combined from similar events): note 9"`; got != want {
			t.Errorf("10th request is %s, want %s", got, want)
		}
		if n := len(sink.stored()); n != 10 { // client-go gives two Events of the same instant the same name
			t.Errorf("%d Events are stored, want 9 and an aggregate", n)
		}
	})
}

// If a function of the correlator's options panics, only the occurrence of that call is dropped.
//
// Caught: the correlator called without a recovery from panics.
func TestCorrelatorPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drops []events.Drop
		explode := func(event *corev1.Event) string {
			if event.Reason == "Bad" {
				panic("oh")
			}
			return event.InvolvedObject.Name
		}
		b, recorder := recordTo(&server{}, WithCorrelatorOptions(record.CorrelatorOptions{SpamKeyFunc: explode}),
			tuning.MaxInFlight(1), events.WithDropHandler(func(d events.Drop) { drops = append(drops, d) }))
		for _, reason := range []string{"Good", "Bad", "Good", "Bad", "Good"} {
			recorder.Event(pod("a"), "Normal", reason, "m")
		}
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 3, "Invalid": 2})
		if len(drops) != 2 || !strings.Contains(drops[0].Err.Error(), "correlator's options panicked: oh") {
			t.Errorf("told %v", drops)
		}
	})
}

// byReason is a KeyFunc that aggregates the Events of all objects.
func byReason(event *corev1.Event) (aggregateKey, localKey string) {
	return event.Reason, event.Message
}

// A KeyFunc may count the occurrences of several objects in one Event. Whichever of their writes is
// slow, the count on the server is the recorded one, and no namespace waits for another.
//
// Caught: a queue for each object although there is a KeyFunc. Then two queues create the same
// Event with different counts, or a Patch with a lower count comes last.
func TestKeyFuncSpansObjects(t *testing.T) {
	for slow := range int64(6) {
		fixture.InBubble(t, fmt.Sprint("request ", slow), func(t *testing.T) {
			var calls atomic.Int64
			sink := &server{script: func(r sinkCall) error {
				if r.Event.Namespace == "default" && calls.Add(1) == slow+1 {
					time.Sleep(time.Second)
				}
				return nil
			}}
			b, recorder := recordTo(sink, WithCorrelatorOptions(record.CorrelatorOptions{KeyFunc: byReason, MaxEvents: 2}))
			for i := range 8 {
				recorder.Event(pod(fmt.Sprint(i)), "Normal", "Started", fmt.Sprint(i))
			}
			recorder.Event(podIn("fast", "a"), "Normal", "Finished", "m")
			synctest.Wait()
			checkStats(t, b.Stats(), map[string]int64{"Recorded": slow + 1, "Pending": 8 - slow})
			b.Shutdown()
			checkStats(t, b.Stats(), map[string]int64{"Recorded": 9})
			if n := sink.counted(); n != 9 {
				t.Errorf("%d occurrences on the server, want the 9 that are recorded: %q", n, sink.lines())
			}
		})
	}
}

// Caught: an object in the list that has nothing pending; the number of all objects instead of the
// waiting ones; the newest occurrence instead of the oldest; a wrong cause; a list without a limit.
func TestInspect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		b, recorder := recordTo(&server{script: takes(20 * time.Second)}, tuning.MaxInFlight(2))
		recorder.Event(pod("first"), corev1.EventTypeNormal, "One", "note")
		synctest.Wait()
		for _, reason := range []string{"Two", "Three", "Four"} {
			time.Sleep(500 * time.Millisecond)
			recorder.Event(pod("second"), corev1.EventTypeNormal, reason, "note")
		}
		time.Sleep(2 * time.Second)
		row := func(name, reason string, pending int64, at time.Time, wait events.Wait) events.SeriesState {
			return events.SeriesState{
				Namespace: "default", Regarding: *pod(name), Reason: reason, Type: "Normal", Note: "note",
				ReportingController: kubelet.Component, Observed: pending, Pending: pending,
				First: at, Last: at, PendingSince: at, WaitsFor: wait,
			}
		}
		want := []events.SeriesState{
			row("first", "One", 1, began, events.WaitAnswer),
			row("second", "Two", 3, began.Add(500*time.Millisecond), events.WaitNamespace),
		}
		want[0].Attempts, want[0].WaitsSince = 1, began
		got := b.Snapshot(10)
		toTheSecond := func(a, b time.Time) bool { return a.Truncate(time.Second).Equal(b.Truncate(time.Second)) }
		if diff := cmp.Diff(want, got.Waiting, cmpopts.IgnoreFields(events.SeriesState{}, "Name"),
			cmp.Comparer(toTheSecond)); diff != "" { // core/v1 stores seconds
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(b.Stats(), got.Stats); diff != "" || len(got.Frequent) != 0 || len(b.Snapshot(1).Waiting) != 1 {
			t.Errorf("%+v; Stats (-want +got):\n%s", got, diff)
		}
		if !toTheSecond(got.Stats.OldestPending, began) {
			t.Errorf("the oldest is pending since %v, want %v", got.Stats.OldestPending, began)
		}
		time.Sleep(2 * time.Minute) // until everything is answered
		b.Shutdown()
	})
}

// full returns a broadcaster with room for four occurrences. Its sink never answers, so the write
// of the first occurrence does not end.
func full(t *testing.T, lost *[]string) (*Broadcaster, func(name, eventType, message string), func()) {
	t.Helper()
	var mu sync.Mutex
	held := make(chan struct{})
	sink := &server{script: func(sinkCall) error { <-held; return nil }}
	b, recorder := recordTo(sink, withQueueSize(4), tuning.MaxInFlight(1), events.WithDropHandler(func(d events.Drop) {
		mu.Lock() // the goroutines of recorders and of the timer drop occurrences
		defer mu.Unlock()
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

// A quarter of the queue is for Warnings alone. An occurrence that is too old after an hour no
// longer takes a place. The limit is on memory, so a large Event takes one place for each KiB.
//
// Caught: every Event counted as one; an object kept although its occurrences were dropped.
func TestQueueFull(t *testing.T) {
	type event struct {
		name, eventType string
		kib             int
	}
	hourLater := event{name: "hour"}
	for name, test := range map[string]struct {
		events []event
		want   []string
	}{
		"Normals leave a quarter to Warnings": {[]event{
			{"a", "Warning", 0}, {"b", "Normal", 0}, {"c", "Normal", 0}, {"a", "Normal", 0}, {"a", "Warning", 0},
			{"d", "Warning", 0},
		}, []string{"QueueFull c Normal", "QueueFull a Normal", "QueueFull d Warning"}},
		"Warnings leave nothing to Normals": {[]event{
			{"a", "Warning", 0}, {"a", "Warning", 0}, {"a", "Warning", 0}, {"b", "Normal", 0}, {"b", "Warning", 0},
		}, []string{"QueueFull b Normal", "QueueFull b Warning"}},
		"what is too old leaves room": {[]event{
			{"a", "Warning", 0}, {"a", "Warning", 0}, {"b", "Warning", 0}, hourLater, {"c", "Normal", 0}, {"a", "Normal", 0},
		}, []string{"TooOld a Warning", "TooOld a Warning", "TooOld b Warning"}},
		"all fit":                              {[]event{{"a", "Normal", 0}, {"a", "Normal", 0}, {"a", "Warning", 0}}, nil},
		"a large Normal finds no room":         {[]event{{"a", "Normal", 0}, {"a", "Normal", 3}}, []string{"QueueFull a Normal"}},
		"a large Normal leaves room for one":   {[]event{{"a", "Normal", 1}, {"b", "Normal", 0}}, []string{"QueueFull b Normal"}},
		"a large Warning finds room":           {[]event{{"a", "Normal", 0}, {"a", "Warning", 1}}, nil},
		"a large Warning finds no room":        {[]event{{"a", "Normal", 1}, {"a", "Warning", 1}}, []string{"QueueFull a Warning"}},
		"a Warning that would never find room": {[]event{{"a", "Warning", 8}}, []string{"QueueFull a Warning"}},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			var lost []string
			b, add, finish := full(t, &lost)
			recorded := int64(1)
			for i, e := range test.events {
				if e == hourLater {
					time.Sleep(61 * time.Minute)
					synctest.Wait()
					continue
				}
				add(e.name, e.eventType, fmt.Sprint(i)+strings.Repeat("m", e.kib<<10))
				recorded++
			}
			if diff := cmp.Diff(test.want, lost); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
			recorded -= int64(len(lost))
			finish()
			checkStats(t, b.Stats(), map[string]int64{"Recorded": recorded})
		})
	}
}

// An occurrence is counted once for each sink, also if it is dropped. The drop handler gets the
// same number as the counters.
//
// Caught: a number of 1 whatever the number of sinks that have no room for the occurrence.
func TestQueueFullForTwoSinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := int64(0)
		recorded := make(chan struct{})
		holds := func(sinkCall) error {
			<-recorded
			return nil
		}
		b, recorder := recordTo(&server{script: holds}, withQueueSize(3),
			events.WithDropHandler(func(d events.Drop) { told += d.Occurrences }))
		b.StartRecordingToSink(&server{script: holds})
		for i := range 4 {
			recorder.Event(pod(fmt.Sprint("web-", i)), "Warning", "Failed", "m")
		}
		close(recorded)
		b.Shutdown()
		s := b.Stats()
		if n := s.Dropped[events.DropQueueFull]; n != 5 || told != n {
			t.Errorf("%d dropped, and the handler was told of %d, want 5", n, told)
		}
		checkStats(t, s, map[string]int64{"Recorded": 3})
	})
}

// An occurrence that client-go's correlator has counted is not dropped to make room for another
// one, because the count of the next occurrence includes it, so that the server would have a higher
// count than the recorded one. In this test the queue is full, and the oldest occurrence was tried
// and refused for the moment.
func TestCountedOccurrencesDoNotGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := status(429, "TooManyRequests")
		sink := &server{script: failing(refused, refused)} // the first retry comes immediately
		b, recorder := recordTo(sink, withQueueSize(2), tuning.MaxInFlight(1))
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait()
		recorder.Event(pod("a"), "Normal", "Started", "m")
		recorder.Event(pod("b"), "Warning", "Failed", "m") // finds no room
		fixture.Flush(t, b)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 3, "QueueFull": 1, "Unconfirmed": 0})
		if n := sink.counted(); n != 3 {
			t.Errorf("%d occurrences on the server, want the 3 that are recorded: %q", n, sink.lines())
		}
	})
}
