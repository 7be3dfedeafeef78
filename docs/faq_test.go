// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// t stands for the *testing.T of a user's test.
var t = &example{}

type example struct{ testing.TB }

func (*example) Helper()             {}
func (*example) Cleanup(func())      {}
func (*example) Name() string        { return "Example" }
func (*example) Logf(string, ...any) {}

var pod = &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "1"}

func Example_notes() {
	for _, policy := range []events.NotePolicy{events.NotesFirst, events.NotesDistinct(2), events.NotesLatest} {
		recorder := eventstest.NewRecorder(t, events.WithNotePolicy(policy))
		for _, image := range []string{"a", "b", "c"} {
			recorder.Eventf(pod, nil, "Normal", "Pulled", "Pull", "image %s", image)
		}
		fmt.Printf("%v\n%v", policy, recorder)
	}
	// Output:
	// NotesFirst
	// Normal Pulled (Pull) Pod default/web x3: "image a"
	// NotesDistinct(2)
	// Normal Pulled (Pull) Pod default/web x1: "image a"
	// Normal Pulled (Pull) Pod default/web x2: "image b"
	// NotesLatest
	// Normal Pulled (Pull) Pod default/web x3: "image a" map[eventseries.dev/latest-note:image c]
}

func Example_job() {
	ctx, client := context.Background(), eventstest.NewClientset()

	a := adapter.New(ctx, client)
	recorder := a.Recorder("my-job")
	for range 3 {
		recorder.Eventf(pod, nil, "Normal", "BackedUp", "BackUp", "a volume is stored")
	}
	deadline, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := a.Flush(deadline); err != nil {
		fmt.Println(err) // how many series are not written; the log says why
	}
	fmt.Println(eventstest.SeriesOf(client.Events()...)[0])
	// Output: Normal BackedUp (BackUp) Pod default/web x3: "a volume is stored"
}

func Example_labels() {
	recorder := eventstest.NewRecorder(t, events.WithLabels(map[string]string{"team": "blue"}))
	labeled := recorder.WithLabels(map[string]string{"tier": "web"})
	labeled.Eventf(pod, nil, "Normal", "Pulled", "Pull", "image a")
	fmt.Print(recorder)
	// Output: Normal Pulled (Pull) Pod default/web x1: "image a" labels map[team:blue tier:web]
}

// A reconcile that fails every ten minutes makes six Events in an hour, or one if the finish interval is longer.
//
// Caught: a finish interval of nine minutes.
func TestFinishIntervalAboveThePeriod(t *testing.T) {
	t.Run("default", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, client := t.Context(), eventstest.NewClientset()
			a := adapter.New(ctx, client)
			failForAnHour(t, a)
			checkCounts(t, client, 1, 1, 1, 1, 1, 1)
		})
	})
	t.Run("longer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, client := t.Context(), eventstest.NewClientset()
			a := adapter.New(ctx, client, events.WithFinishInterval(15*time.Minute))
			failForAnHour(t, a)
			checkCounts(t, client, 6)
		})
	})
}

// controller-runtime repeats a failed reconcile after 5 milliseconds at first, and after 1000 seconds in the end. The
// eighteenth of these delays is the first one of more than six minutes.
//
// Caught: a finish interval of sixteen minutes.
func TestFinishIntervalAboveTheBackOff(t *testing.T) {
	for name, test := range map[string]struct {
		opts []adapter.Option
		want []int
	}{
		"default": {want: []int{18, 1, 1, 1}},
		"longer":  {opts: []adapter.Option{events.WithFinishInterval(20 * time.Minute)}, want: []int{21}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := eventstest.NewClientset()
				a := adapter.New(t.Context(), client, test.opts...)
				if err := a.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				recorder := a.Recorder("my-controller")
				delays := workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)
				for range 21 {
					recorder.Eventf(pod, nil, "Warning", "NoService", "FindService", "cannot route")
					time.Sleep(delays.When("web"))
				}
				a.Shutdown()
				checkCounts(t, client, test.want...)
			})
		})
	}
}

// failForAnHour records a failure every ten minutes.
func failForAnHour(t *testing.T, a *adapter.Adapter) {
	t.Helper()
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer a.Shutdown()
	recorder := a.Recorder("my-controller")
	for range 6 {
		recorder.Eventf(pod, nil, "Warning", "SyncFailed", "Sync", "the database does not answer")
		time.Sleep(10 * time.Minute)
	}
}

// checkCounts checks how many Events a server has, and the count of each.
func checkCounts(t *testing.T, client *eventstest.Clientset, want ...int) {
	t.Helper()
	var got []int
	for _, series := range eventstest.SeriesOf(client.Events()...) {
		got = append(got, series.Count)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
