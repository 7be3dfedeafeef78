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
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

var (
	web  = fixture.Pod("default", "web")
	db   = fixture.Pod("default", "db")
	node = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "uid-node-1"}}
)

func TestRecorderHoldsWhatTheServerWould(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	rec.Eventf(web, node, "Normal", "Scheduled", "Binding", "to %s", "node-1")
	for i := range 3 {
		web.ResourceVersion = fmt.Sprint(i) // a status write between two occurrences splits no series
		rec.Eventf(web, nil, "Warning", "BackOff", "", "attempt %d", i)
	}
	rec.AnnotatedEventf(node, nil, map[string]string{"a": "1"}, "Normal", "Ready", "Ready", "100%")
	want := `Normal Scheduled (Binding) Pod default/web with Node node-1 x1: "to node-1"
Warning BackOff (BackOff) Pod default/web x3: "attempt 0"
Normal Ready (Ready) Node node-1 x1: "100%" map[a:1]
`
	if diff := cmp.Diff(want, rec.String()); diff != "" {
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
	if n := rec.Stats().Repaired[events.RepairAction]; n != 3 {
		t.Errorf("%d actions repaired, want 3", n)
	}
}

// A test may change the results.
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

// A series ends after six minutes without an occurrence, whichever method records, and whether the
// test reads in between or not.
func TestRecorderEndsSeries(t *testing.T) {
	for _, reads := range []bool{false, true} {
		clock := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 11, 25, 19, 0, time.UTC))
		rec := eventstest.NewRecorder(t, events.WithClock(clock))
		ways := []func(){
			func() { rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "") },
			func() { rec.AnnotatedEventf(web, nil, nil, "Normal", "Pulled", "Pull", "") },
			func() { rec.Event(web, nil, "Normal", "Pulled", "Pull", "") },
		}
		for i, pause := range []time.Duration{0, 6 * time.Minute, 5 * time.Minute, 6*time.Minute - 1, 6 * time.Minute, time.Hour} {
			clock.Step(pause)
			if reads {
				rec.Events()
			}
			ways[i%len(ways)]()
		}
		if err := rec.Check(eventstest.Only{{Count: 1}, {Count: 3}, {Count: 1}, {Count: 1}}); err != nil {
			t.Error(err)
		}
	}
}

// A Recorder has the Events that a started broadcaster would store on a server.
func TestRecorderAgreesWithABroadcaster(t *testing.T) {
	for seed := range uint64(20) {
		fixture.InBubble(t, fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			policy := []events.NotePolicy{events.NotesFirst, events.NotesLatest, events.NotesDistinct(2)}[random.IntN(3)]
			rec := eventstest.NewRecorder(t, events.WithNotePolicy(policy))
			sink := eventstest.NewSink()
			broadcaster := events.NewBroadcaster(sink, events.WithNotePolicy(policy), events.WithLogger(klog.Logger{}))
			if err := broadcaster.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			live := broadcaster.Recorder(scheme.Scheme, "eventstest")
			for range 100 {
				pod := fixture.Pod("default", []string{"a", "b"}[random.IntN(2)])
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

// failures is a test that may fail. It panics if a method is called after its end.
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

func TestStrictRecorderFailsTheTest(t *testing.T) {
	f := &failures{TB: t}
	rec := eventstest.NewRecorder(f, eventstest.Strict())
	rec.Eventf(web, nil, "Normal", "Pulled", "Pull", "fine")
	rec.Eventf(web, nil, "Normal", "", "", "no reason and no action")
	rec.Eventf(nil, nil, "Warning", "Failed", "Fail", "about nothing")
	if len(f.text) != 2 || !strings.Contains(f.text[0], `Normal "" regarding Pod default/web: it needs`) ||
		!strings.HasSuffix(f.text[0], "[ActionEmpty ReasonEmpty]") || !strings.Contains(f.text[1], "Warning Failed: cannot refer") {
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

// widget is an object of a custom resource.
type widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (w *widget) DeepCopyObject() runtime.Object { copied := *w; return &copied }

// If the scheme does not know a custom resource, the log of the test says what to do. With that
// change the Event is recorded.
func TestRecorderNamesTheRemedyForACustomResource(t *testing.T) {
	f, crd := &failures{TB: t}, &widget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "w"}}
	known := runtime.NewScheme()
	known.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, crd)
	for want, rec := range map[int]*eventstest.Recorder{
		0: eventstest.NewRecorder(f),
		1: eventstest.NewRecorder(t, eventstest.Strict(), events.WithScheme(known)),
	} {
		rec.Eventf(crd, nil, "Normal", "Pulled", "Pull", "")
		all := rec.Events()
		if len(all) != want || len(rec.Drops()) != 1-want {
			t.Errorf("%v and %v, want %d Events", all, rec.Drops(), want)
		}
		if want == 1 && (all[0].ReportingController != "eventstest" || all[0].ReportingInstance != "eventstest-0") {
			t.Errorf("reported by %q, %q", all[0].ReportingController, all[0].ReportingInstance)
		}
	}
	f.end()
	if len(f.text) != 0 || !strings.Contains(strings.Join(f.logged, "\n"), "NewRecorder(t, events.WithScheme(scheme))") {
		t.Errorf("failures %q and log %q, want no failure, and WithScheme in the log", f.text, f.logged)
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

func TestRecorderStartsNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t) // before any Cleanup
	rec := eventstest.NewRecorder(t)
	for i := range 100 { // client-go's FakeRecorder blocks at the end of its buffer
		rec.Eventf(fixture.Pod("default", fmt.Sprint(i)), nil, "Normal", "Pulled", "Pull", "")
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
				rec.WithLogger(klog.Background()).Eventf(fixture.Pod("default", fmt.Sprint(i%4)), nil, "Normal", "Pulled", "Pull", "")
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

// tContext has the shape of the TContext of k8s.io/ktesting: a context, and the methods of testing.TB that it has, too.
type tContext struct {
	context.Context
	someTB
}

type someTB interface {
	Attr(key, value string)
	Chdir(dir string)
	Cleanup(f func())
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Setenv(key, value string)
	Skip(args ...any)
	Skipf(format string, args ...any)
	SkipNow()
	Skipped() bool
	TempDir() string
}

// Caught: functions that take a testing.TB only.
func TestTakesATContext(t *testing.T) {
	tCtx := tContext{t.Context(), t}
	recorder := eventstest.NewRecorder(tCtx)
	recorder.Eventf(web, nil, corev1.EventTypeNormal, "Pulled", "Pull", "the image is present")
	if n := len(recorder.Events()); n != 1 {
		t.Errorf("%d Events, want 1", n)
	}
	const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: worker
rules:
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
`
	eventstest.VerifyRBAC(tCtx, fstest.MapFS{"role.yaml": {Data: []byte(role)}})
}
