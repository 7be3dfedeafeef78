// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// part returns the reference of a part of a pod.
func part(pod, fieldPath string) *corev1.ObjectReference {
	return &corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: pod, UID: "uid-of-" + "a-pod", FieldPath: fieldPath,
	}
}

// A component with something random in all that it may vary writes as many Events as the limit says, and each occurrence
// is in the count of one of them.
func TestObjectLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, limit, every = 20_000, 10, 180 * time.Millisecond // an hour
		sink, handled := eventstest.NewSink(), &drops{}
		b, rec := start(t, sink, handled.option(), events.WithObjectLimit(limit),
			events.WithNotes(events.NotesDistinct(100)))
		random := rand.New(rand.NewPCG(1, 1))
		for range n {
			word := fmt.Sprint(random.Uint32())
			rec.Eventf(part("web", word), nil, corev1.EventTypeWarning, "R"+word, "A"+word, "note %s", word)
			time.Sleep(every)
		}
		flush(t, b)
		handled.check(t)
		var stored, folded int64
		all := sink.Events()
		for _, e := range all {
			stored += count(&e)
			if e.Reason == events.ReasonTooManyEvents {
				folded += count(&e)
			}
		}
		if len(all) != limit+1 {
			t.Errorf("%d Events in an hour, want %d", len(all), limit+1)
		}
		s := b.Stats()
		checkConserved(t, s)
		if stored != n || s.Recorded != n || s.Folded != folded || folded != n-limit {
			t.Errorf("the server has %d, of them folded %d; %+v", stored, folded, s)
		}
		for _, c := range b.Snapshot(0).Counts {
			if want := map[bool]int64{true: folded}[c.Reason == events.ReasonTooManyEvents]; c.Folded != want {
				t.Errorf("%+v", c)
			}
		}
	})
}

// By default a hot loop that makes up its reasons costs a hundred Events and the one that counts the rest, for as long as
// it lasts. Other objects, what has a related object, and repeats have their Events. After a pause of the finish interval
// new reasons have Events again.
func TestObjectLimitByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		n := 0
		loop := func(lasts time.Duration) {
			for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				rec.Eventf(newPod("web"), nil, "Warning", fmt.Sprintf("Failed%d", n), "Fetch", "request %d", n)
				n++
			}
		}
		check := func(when string, want int) {
			t.Helper()
			flush(t, b)
			if got := len(sink.Events()); got != want {
				t.Errorf("%s: %d Events, want %d", when, got, want)
			}
		}
		loop(time.Minute)
		check("after a minute", 101)
		loop(time.Hour)
		check("after an hour", 101)
		if s := b.Stats(); s.Folded != int64(n-100) {
			t.Errorf("%d are folded, want %d", s.Folded, n-100)
		}

		rec.Eventf(newPod("db"), nil, "Warning", "FailedOnce", "Fetch", "")
		check("another object", 102)
		for i := range 1000 {
			rec.Eventf(newPod("web"), newPod(fmt.Sprint("web-", i)), "Normal", "SuccessfulCreate", "Create", "")
		}
		check("related objects", 1102)

		time.Sleep(6*time.Minute + 1)
		loop(10 * time.Second)
		check("after a pause", 1202)
	})
}

// What is repeated all the time stays an Event, however many others there are about its object.
func TestObjectLimitIsNotOfRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink())
		seen := watch(t, b)
		for i := range 3600 {
			rec.Eventf(newPod("web"), nil, "Warning", "BackOff", "Restart", "")
			rec.Eventf(newPod("web"), nil, "Warning", fmt.Sprint("Failed", i), "Fetch", "")
			time.Sleep(time.Second)
		}
		flush(t, b)
		names := map[string]bool{}
		for _, e := range seen() {
			if e.Reason == "BackOff" {
				names[e.Name] = true
			}
		}
		if len(names) != 1 {
			t.Errorf("BackOff is counted in %d Events, want one", len(names))
		}
	})
}

// The Event that counts what is beyond the limit says so, and has nothing of what varies.
func TestTooManyEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, now := eventstest.NewSink(), time.Now()
		b, rec := start(t, sink, events.WithObjectLimit(1), events.WithReportingInstance("one"))
		record := func(fieldPath, reason string) {
			rec.AnnotatedEventf(part("web", fieldPath), nil, map[string]string{"a": "b"},
				corev1.EventTypeWarning, reason, "Act", "note")
		}
		record("a", "Known")
		record("b", "Known")
		record("c", "Other")
		record("a", "Known")
		flush(t, b)
		var got []eventsv1.Event
		for _, e := range sink.Events() {
			if e.Reason == events.ReasonTooManyEvents {
				e.ObjectMeta = metav1.ObjectMeta{Annotations: e.Annotations}
				got = append(got, e)
			} else if count(&e) != 2 {
				t.Errorf("%s has the count %d, want the repeat in it", e.Reason, count(&e))
			}
		}
		want := eventsv1.Event{
			EventTime: micro(now), ReportingController: controller, ReportingInstance: "one", Type: corev1.EventTypeWarning,
			Reason: "TooManyEvents", Action: "LimitEvents", Regarding: *part("web", ""),
			Note: "Too many different Events about this object: the limit is 1 at a time. Further ones are counted " +
				"here. The first had the reason Known and the action Act; the log of the component names more.",
			Series: &eventsv1.EventSeries{Count: 2, LastObservedTime: micro(now)},
		}
		if diff := cmp.Diff([]eventsv1.Event{want}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Watchers get each occurrence as it was recorded, with the name of the Event in which it is counted.
func TestWatchersSeeWhatIsFolded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink, events.WithObjectLimit(1))
		seen := watch(t, b)
		for i := range 3 {
			rec.Eventf(newPod("web"), nil, "Normal", fmt.Sprint("Reason", i), "Act", "note %d", i)
		}
		flush(t, b)
		names := map[string]string{}
		for _, e := range sink.Events() {
			names[e.Reason] = e.Name
		}
		for i, e := range seen() {
			want := names[events.ReasonTooManyEvents]
			if i == 0 {
				want = names["Reason0"]
			}
			if e.Name != want || e.Reason != fmt.Sprint("Reason", i) || e.Note != fmt.Sprint("note ", i) {
				t.Errorf("%d: %s %s %s, want the name %s", i, e.Name, e.Reason, e.Note, want)
			}
		}
	})
}

// The log names one that was folded, once a minute.
func TestLogOfTooManyEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		_, rec := start(t, eventstest.NewSink(), events.WithObjectLimit(1), events.WithLogger(klog.New(log)))
		for i := range 100 {
			rec.Eventf(part("web", "spec.containers{main}"), nil, "Normal", fmt.Sprint("Reason", i), "Act", "")
			time.Sleep(time.Second)
		}
		lines := log.Take()
		if len(lines) != 2 {
			t.Errorf("%d lines in 100 s:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		testlog.CheckLine(t, lines[:1], "error: An object has too many different Events", `advice="object-limit"`,
			`limit="1"`, `object="default/web"`, `reason="Reason1"`, `fieldPath="spec.containers{main}"`)
	})
}

// The note of an occurrence beyond the limit is not formatted, and it allocates nothing.
func TestFoldedAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	_, rec := start(t, eventstest.NewSink(), events.WithObjectLimit(1))
	pod := newPod("web")
	reasons := make([]string, 1100)
	for i := range reasons {
		reasons[i] = fmt.Sprint("Reason", i)
	}
	for _, reason := range reasons[:10] {
		rec.Eventf(pod, nil, "Normal", reason, "Act", "note")
	}
	next := 10
	if n := testing.AllocsPerRun(1000, func() {
		rec.Eventf(pod, nil, "Normal", reasons[next], "Act", "note")
		next++
	}); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}
