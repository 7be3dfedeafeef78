// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

var (
	web  = podNamed("web")
	db   = podNamed("db")
	node = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "uid-node-1"}}
)

func podNamed(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: "uid-1"}}
}

// Caught: counts that are not flushed; an order by name; the second note in place of the first.
func TestRecorderHoldsWhatTheServerWould(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	rec.Eventf(web, node, "Normal", "Scheduled", "Binding", "to %s", "node-1")
	for i := range 3 {
		web.ResourceVersion = fmt.Sprint(i) // a status write between two occurrences splits no series
		rec.Eventf(web, nil, "Warning", "BackOff", "", "attempt %d", i)
	}
	rec.AnnotatedEventf(node, nil, map[string]string{"a": "1"}, "Normal", "Ready", "Ready", "100%")
	want := []eventstest.Series{
		{
			Type: "Normal", Reason: "Scheduled", Action: "Binding", Note: "to node-1", Count: 1,
			Regarding: eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"},
			Related:   eventstest.Object{Kind: "Node", Name: "node-1"},
		},
		{
			Type: "Warning", Reason: "BackOff", Action: "BackOff", Note: "attempt 0", Count: 3,
			Regarding: eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"},
		},
		{
			Type: "Normal", Reason: "Ready", Action: "Ready", Note: "100%", Count: 1,
			Regarding:   eventstest.Object{Kind: "Node", Name: "node-1"},
			Annotations: map[string]string{"a": "1"},
		},
	}
	if diff := cmp.Diff(want, rec.Series()); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
	if all := rec.Events(); all[2].Namespace != "default" || all[1].Series.Count != 3 || all[0].Series != nil {
		t.Errorf("events are not the server's: %v", all)
	}
	var notes []string
	for _, occurrence := range rec.Occurrences() {
		notes = append(notes, occurrence.Note)
	}
	if diff := cmp.Diff([]string{"to node-1", "attempt 0", "attempt 1", "attempt 2", "100%"}, notes); diff != "" {
		t.Errorf("notes of all occurrences (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]eventstest.Access{{Group: "events.k8s.io", Namespace: "default"}}, rec.Written()); diff != "" {
		t.Errorf("written to (-want +got):\n%s", diff)
	}
	if n := rec.Stats().Repaired[events.RepairAction]; n != 3 {
		t.Errorf("%d actions repaired, want 3", n)
	}
}

func TestRecorderSelects(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "")
	rec.Eventf(db, nil, "Normal", "Pulled", "Pull", "")
	rec.Eventf(web, nil, "Normal", "Started", "Start", "")
	reborn := podNamed("web")
	reborn.UID = "uid-2"
	unknown := podNamed("web")
	unknown.UID = ""
	for _, r := range []struct {
		name string
		got  int
		want int
	}{
		{"a reason", len(rec.ByReason("Pulled")), 2},
		{"no such reason", len(rec.ByReason("pulled")), 0},
		{"an object", len(rec.ForObject(web)), 2},
		{"an object without UID", len(rec.ForObject(unknown)), 2},
		{"another object of the same name", len(rec.ForObject(reborn)), 0},
		{"another kind", len(rec.ForObject(&corev1.Service{ObjectMeta: web.ObjectMeta})), 0},
		{"a reference", len(rec.ForObject(&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "db"})), 1},
		{"nil", len(rec.ForObject(nil)), 0},
		{"a typed nil", len(rec.ForObject((*corev1.Pod)(nil))), 0},
	} {
		if r.got != r.want {
			t.Errorf("%s: %d events, want %d", r.name, r.got, r.want)
		}
	}
}

// What a test reads is its own.
func TestRecorderSharesNothing(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	rec.AnnotatedEventf(web, nil, map[string]string{"a": "1"}, "Normal", "Pulled", "Pull", "")
	rec.Events()[0].Annotations["a"] = "2"
	rec.Occurrences()[0].Annotations["a"] = "2"
	rec.Series()[0].Annotations["a"] = "2"
	for _, got := range []string{
		rec.Events()[0].Annotations["a"], rec.Occurrences()[0].Annotations["a"], rec.Series()[0].Annotations["a"],
	} {
		if got != "1" {
			t.Errorf("annotation %q, want what was recorded", got)
		}
	}
}

// Caught: a series that goes on although nothing was seen of it for six minutes, with and without a read in between.
func TestRecorderEndsSeries(t *testing.T) {
	for _, r := range []struct {
		pauses []time.Duration // between occurrences
		want   []int
	}{
		{[]time.Duration{5 * time.Minute, 5 * time.Minute, 5 * time.Minute}, []int{4}},
		{[]time.Duration{6 * time.Minute}, []int{1, 1}},
		{[]time.Duration{time.Minute, 6*time.Minute - 1, 6 * time.Minute, time.Hour}, []int{3, 1, 1}},
		{[]time.Duration{6 * time.Minute, 6 * time.Minute, 6 * time.Minute}, []int{1, 1, 1, 1}},
	} {
		for _, reads := range []bool{false, true} {
			t.Run(fmt.Sprint(r.pauses, reads), func(t *testing.T) {
				clock := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 11, 25, 19, 0, time.UTC))
				rec := eventstest.NewRecorder(t, events.WithClock(clock))
				ways := []func(){
					func() { rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "") },
					func() { rec.AnnotatedEventf(web, nil, nil, "Normal", "Pulled", "Pull", "") },
					func() { rec.Event(web, nil, "Normal", "Pulled", "Pull", "") },
				}
				ways[0]()
				for i, pause := range r.pauses {
					clock.Step(pause)
					if reads {
						rec.Events()
					}
					ways[i%len(ways)]()
				}
				var counts []int
				for _, s := range rec.Series() {
					counts = append(counts, s.Count)
				}
				if diff := cmp.Diff(r.want, counts); diff != "" {
					t.Errorf("counts (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// A Recorder tells what a started broadcaster with its timers and workers leaves on the server. Caught: series that are
// over but still there, when a note decides where an occurrence belongs.
func TestRecorderAgreesWithABroadcaster(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 0))
				policy := []events.NotePolicy{events.NotesFirst, events.NotesLatest, events.NotesDistinct(2)}[random.IntN(3)]
				rec := eventstest.NewRecorder(t, events.WithNotes(policy))
				sink := eventstest.NewSink()
				broadcaster := events.NewBroadcaster(sink, events.WithNotes(policy), events.WithLogger(klog.Logger{}))
				if err := broadcaster.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				live := broadcaster.NewRecorder(scheme.Scheme, "eventstest")
				for range 100 {
					pod := podNamed([]string{"a", "b"}[random.IntN(2)])
					note := []string{"a", "b", "c\xff"}[random.IntN(3)]
					reason, action := []string{"", "R"}[random.IntN(2)], []string{"", "A"}[random.IntN(2)]
					for _, to := range []events.EventRecorder{rec, live} {
						to.Eventf(pod, nil, "Normal", reason, action, note)
					}
					synctest.Wait()
					time.Sleep(time.Duration(random.Int64N(int64(10 * time.Minute)))) // never just as long as a series lives
				}
				broadcaster.Shutdown()
				if diff := cmp.Diff(tally(eventstest.SeriesOf(sink.Events()...)), tally(rec.Series())); diff != "" {
					t.Errorf("Events and their counts (-broadcaster +recorder):\n%s", diff)
				}
				got, want := rec.Stats(), broadcaster.Stats()
				if got.Observed != want.Observed || got.Recorded != want.Recorded || got.Pending != 0 {
					t.Errorf("accounts %+v, want those of the broadcaster %+v", got, want)
				}
			})
		})
	}
}

// tally counts equal series.
func tally(all []eventstest.Series) map[string]int {
	counts := make(map[string]int)
	for _, s := range all {
		counts[s.String()]++
	}
	return counts
}

func TestRecorderServesTheOldAPI(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	var old record.EventRecorderLogger = legacy.AsLegacy(rec)
	old.Eventf(web, "Normal", "Scaled", "to %d", 1)
	old.Event(web, "Normal", "Scaled", "to 100%")
	old.AnnotatedEventf(web, map[string]string{"a": "1"}, "Normal", "Scaled", "to %d", 1)
	old.WithLogger(klog.Background()).Event(web, "Normal", "Scaled", "to 1")
	pod := eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"}
	want := []eventstest.Series{
		{Type: "Normal", Reason: "Scaled", Action: "Scaled", Note: "to 1", Regarding: pod, Count: 3,
			Annotations: map[string]string{"a": "1"}},
		{Type: "Normal", Reason: "Scaled", Action: "Scaled", Note: "to 100%", Regarding: pod, Count: 1},
	}
	if diff := cmp.Diff(want, rec.Series()); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
}

func TestRecorderKnowsKindsFromItsScheme(t *testing.T) {
	type Widget struct{ corev1.Pod } // a custom resource
	rec := eventstest.NewRecorder(t)
	rec.Eventf(&Widget{*web}, nil, "Normal", "Made", "Make", "")
	if drops := rec.Drops(); len(drops) != 1 || drops[0].Reason != events.Invalid || len(rec.Events()) != 0 {
		t.Errorf("drops %v, events %v: an unknown kind is refused, as in production", drops, rec)
	}
	known := runtime.NewScheme()
	known.AddKnownTypes(appsv1.SchemeGroupVersion, &appsv1.Deployment{})
	rec = eventstest.NewRecorder(t, adapter.WithScheme(known), eventstest.WithReportingController("example.com/c"))
	rec.Eventf(&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "d"}}, nil,
		"Normal", "Made", "Make", "")
	if err := rec.Check(eventstest.Only{{Reason: "Made"}}); err != nil {
		t.Error(err)
	}
	if e := rec.Events()[0]; e.ReportingController != "example.com/c" || e.ReportingInstance != "example.com/c-0" {
		t.Errorf("reported by %q, %q", e.ReportingController, e.ReportingInstance)
	}
}

// failures is a test that may fail, and panics when it is told of anything after its end.
type failures struct {
	testing.TB
	ended   bool
	text    []string
	logged  []string
	cleanup []func()
}

func (f *failures) Helper()          {}
func (f *failures) Cleanup(g func()) { f.cleanup = append(f.cleanup, g) }
func (f *failures) Log(...any)       {}
func (f *failures) Logf(format string, args ...any) {
	f.logged = append(f.logged, fmt.Sprintf(format, args...))
}
func (f *failures) Errorf(format string, args ...any) {
	if f.ended {
		panic("Errorf after the end of the test")
	}
	f.text = append(f.text, fmt.Sprintf(format, args...))
}

func (f *failures) end() {
	for _, g := range f.cleanup {
		g()
	}
	f.ended = true
}

// Caught: a strict recorder that says nothing; one that talks to a test that is over.
func TestStrictRecorderFailsTheTest(t *testing.T) {
	f := &failures{TB: t}
	rec := eventstest.NewRecorder(f, events.WithStrict())
	rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "fine")
	rec.Eventf(web, nil, "Normal", "Pulled", "", "no action")
	rec.Eventf(nil, nil, "Warning", "Failed", "Fail", "about nothing")
	if len(f.text) != 2 || !strings.Contains(f.text[0], "Normal Pulled regarding Pod default/web") ||
		!strings.Contains(f.text[0], "Action") || !strings.Contains(f.text[1], "Warning Failed") {
		t.Errorf("failures %q, want one about the missing action and one about the missing object", f.text)
	}
	if err := rec.Check(eventstest.Only{{Note: "fine", Count: 1}}); err != nil {
		t.Error(err)
	}
	f.end()
	rec.Eventf(nil, nil, "Normal", "Late", "Be", "after the end")
	rec.Eventf(web, nil, "Normal", "Late", "Be", "after the end")
	if err := rec.Check(eventstest.Only{{Note: "fine"}}); err != nil {
		t.Errorf("after the end: %v", err)
	}
	if n, m := len(rec.Occurrences()), len(rec.Drops()); n != 1 || m != 2 {
		t.Errorf("%d occurrences and %d drops after the end, want 1 and 2", n, m)
	}
}

// widget is a custom resource.
type widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (w *widget) DeepCopyObject() runtime.Object { copied := *w; return &copied }

// Caught: "Unspecified" for an empty reason; a gap where the object should be; a type without a kind, and no way out.
func TestStrictRecorderSaysWhatIsWrong(t *testing.T) {
	crd := &widget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "w"}}
	for _, test := range []struct {
		name   string
		record func(*eventstest.Recorder)
		want   string
	}{{
		"no reason", func(rec *eventstest.Recorder) { rec.Eventf(web, nil, "Normal", "", "Pull", "") },
		`Normal "" regarding Pod default/web: it needs repairs, which WithStrict forbids: [ReasonEmpty]`,
	}, {
		"no reason and no action", func(rec *eventstest.Recorder) { rec.Eventf(web, nil, "Normal", "", "", "") },
		`Normal "" regarding Pod default/web: it needs repairs, which WithStrict forbids: [ActionEmpty ReasonEmpty]`,
	}, {
		"no object", func(rec *eventstest.Recorder) { rec.Eventf(nil, nil, "Normal", "Pulled", "Pull", "") },
		"Normal Pulled: cannot refer to the regarding object: can't reference a nil object",
	}, {
		"a custom resource", func(rec *eventstest.Recorder) { rec.Eventf(crd, nil, "Normal", "Pulled", "Pull", "") },
		"pass the scheme that has it, NewRecorder(t, adapter.WithScheme(scheme))",
	}} {
		t.Run(test.name, func(t *testing.T) {
			f := &failures{TB: t}
			test.record(eventstest.NewRecorder(f, events.WithStrict()))
			f.end()
			if len(f.text) != 1 || !strings.HasSuffix(f.text[0], test.want) ||
				!strings.HasPrefix(f.text[0], "eventstest: not recorded, Invalid: Normal ") {
				t.Errorf("failures:\n%s\nwant one that ends in:\n%s", strings.Join(f.text, "\n"), test.want)
			}
		})
	}
}

// Without strict mode the remedy for a custom resource is in the test's log, and with it the Event is recorded.
func TestRecorderNamesTheRemedyForACustomResource(t *testing.T) {
	f, crd := &failures{TB: t}, &widget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "w"}}
	rec := eventstest.NewRecorder(f)
	rec.Eventf(crd, nil, "Normal", "Pulled", "Pull", "")
	f.end()
	if len(f.text) != 0 || !strings.Contains(strings.Join(f.logged, "\n"), "adapter.WithScheme(scheme)") {
		t.Errorf("failures %q and log %q, want no failure, and WithScheme in the log", f.text, f.logged)
	}
	known := runtime.NewScheme()
	known.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, crd)
	rec = eventstest.NewRecorder(t, events.WithStrict(), adapter.WithScheme(known))
	rec.Eventf(crd, nil, "Normal", "Pulled", "Pull", "")
	if n := len(rec.Events()); n != 1 {
		t.Errorf("%d Events with a scheme that has the type, want 1", n)
	}
}

func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := eventstest.NewRecorder(t)
		go func() {
			for range 5 {
				time.Sleep(time.Second)
				rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "")
			}
		}()
		start := time.Now()
		if err := rec.WaitFor(t.Context(), eventstest.Want{Reason: "Pulled", MinCount: 3}); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("it took %v, want 3s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := rec.WaitFor(ctx, eventstest.Want{Reason: "Pulled", Count: 7})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "count: got 5, want 7") {
			t.Errorf("WaitFor = %v, want the deadline and the count", err)
		}
	})
}

// during is a matcher that is satisfied by what is recorded while it looks.
type during struct {
	eventstest.Want
	looked int
	record func()
}

func (d *during) Match(any) (bool, error) {
	d.looked++
	d.record()
	return d.looked == 2, nil
}

// Caught: a wait for changes that begins after the look.
func TestWaitForMissesNothing(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	record := func() { rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "") }
	if err := rec.WaitFor(t.Context(), &during{record: record}); err != nil {
		t.Error(err)
	}
}

// Caught: a goroutine of the broadcaster; a recorder that needs its Cleanup to be clean.
func TestRecorderStartsNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t) // before any Cleanup
	rec := eventstest.NewRecorder(t)
	for i := range 100 { // client-go's FakeRecorder blocks at the end of its buffer
		rec.Eventf(podNamed(fmt.Sprint(i)), nil, "Normal", "Pulled", "Pull", "")
	}
	if n := len(rec.Events()); n != 100 {
		t.Errorf("%d events, want 100", n)
	}
}

func TestRecorderConcurrentSafe(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				rec.WithLogger(klog.Background()).Eventf(podNamed(fmt.Sprint(i%4)), nil, "Normal", "Pulled", "Pull", "")
				rec.Series()
			}
		})
	}
	all.Go(func() {
		if err := rec.WaitFor(t.Context(), eventstest.Only{{Count: 40}, {Count: 40}, {Count: 40}, {Count: 40}}); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	if n := len(rec.Occurrences()); n != 160 {
		t.Errorf("%d occurrences, want 160", n)
	}
}
