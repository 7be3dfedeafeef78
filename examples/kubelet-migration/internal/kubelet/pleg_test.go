// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
)

// podWith is a pod with one container in a state, or without containers.
func podWith(state State) *PodStatus {
	pod := &PodStatus{UID: "p", At: time.Now()}
	if state != "" {
		pod.Containers = []Container{{ID: "c", Name: "main", State: state}}
	}
	return pod
}

func TestDiff(t *testing.T) {
	const gone = State("")
	for _, test := range []struct {
		old, current State
		want         []EventType
	}{
		{gone, gone, nil},
		{gone, Created, []EventType{ContainerChanged}},
		{gone, Running, []EventType{ContainerStarted}},
		{gone, Exited, []EventType{ContainerDied}},
		{Created, Running, []EventType{ContainerStarted}},
		{Running, Running, nil},
		{Running, Exited, []EventType{ContainerDied}},
		{Running, gone, []EventType{ContainerDied, ContainerRemoved}},
		{Exited, gone, []EventType{ContainerRemoved}},
	} {
		if diff := cmp.Diff(test.want, diff(podWith(test.old), podWith(test.current))); diff != "" {
			t.Errorf("from %q to %q (-want +got):\n%s", test.old, test.current, diff)
		}
	}
	old := &PodStatus{Containers: []Container{{ID: "0", State: Exited}, {ID: "1", State: Running}}}
	current := &PodStatus{Containers: []Container{{ID: "1", State: Exited}, {ID: "2", State: Running}}}
	want := []EventType{ContainerRemoved, ContainerDied, ContainerStarted}
	if diff := cmp.Diff(want, diff(old, current)); diff != "" {
		t.Errorf("of several containers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]EventType{ContainerStarted}, diff(nil, podWith(Running))); diff != "" {
		t.Errorf("of a new pod (-want +got):\n%s", diff)
	}
}

// watched is a PLEG with a runtime in which pod p runs containers of the image app.
type watched struct {
	*PLEG
	runtime *Runtime
	seen    chan Event
	id      string // of the newest container
}

// watch runs a PLEG for the length of a test.
func watch(t *testing.T, newPLEG func(*Runtime) *PLEG) *watched {
	t.Helper()
	runtime := NewRuntime(Image{Name: "app"})
	w := &watched{PLEG: newPLEG(runtime), runtime: runtime, seen: make(chan Event, 100)}
	runtime.RunPod("p", "web")
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), klog.Logger{})) // logs nothing
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	forwarded := make(chan struct{})
	go func() {
		defer close(forwarded)
		for {
			select {
			case event := <-w.Events():
				w.seen <- event
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done; <-forwarded })
	synctest.Wait()
	return w
}

func (w *watched) create(t *testing.T) {
	t.Helper()
	id, err := w.runtime.CreateContainer(t.Context(), "p", "main", "app")
	if err != nil {
		t.Fatal(err)
	}
	w.id = id
}

func (w *watched) start(t *testing.T) {
	t.Helper()
	if err := w.runtime.StartContainer(t.Context(), "p", w.id); err != nil {
		t.Fatal(err)
	}
}

func (w *watched) exit() { w.runtime.exit("p", w.id, 1) }

// startUnseen adds a container that the stream does not deliver. Only a listing finds it.
func (w *watched) startUnseen(id string) {
	w.runtime.mu.Lock()
	defer w.runtime.mu.Unlock()
	p := w.runtime.pods["p"]
	p.Containers = append(p.Containers, Container{ID: id, State: Running})
}

// wantEvents compares the types of the events since the last call.
func (w *watched) wantEvents(t *testing.T, when string, want ...EventType) {
	t.Helper()
	synctest.Wait()
	var got []EventType
	for len(w.seen) > 0 {
		got = append(got, (<-w.seen).Type)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events %s (-want +got):\n%s", when, diff)
	}
}

// pass lets time pass, and what is due happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestUnreadableStatusIsInspectedAgain(t *testing.T) {
	for name, newPLEG := range map[string]func(*Runtime) *PLEG{"generic": NewGeneric, "evented": NewEvented} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := watch(t, newPLEG)
				w.create(t)
				pass(relistPeriod)
				w.wantEvents(t, "of the creation", ContainerChanged)
				w.runtime.CutStream(true) // it would deliver the status
				w.runtime.BreakStatus("p", true)
				w.start(t)
				pass(3 * relistPeriod)
				w.wantEvents(t, "while the status is unreadable")
				if _, err := w.cache.GetNewerThan(t.Context(), "p", time.Now().Add(-2*relistPeriod)); err == nil {
					t.Error("the cache does not have the error")
				}
				w.runtime.BreakStatus("p", false)
				pass(relistPeriod)
				w.wantEvents(t, "when it is readable again", ContainerStarted)
			})
		})
	}
}

func TestEventedReportsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, NewEvented)
		pass(time.Second)
		w.create(t)
		w.start(t)
		w.wantEvents(t, "of a start", ContainerChanged, ContainerStarted)
		w.exit()
		w.wantEvents(t, "of an exit", ContainerDied)
		w.startUnseen("unseen")
		pass(4 * time.Minute)
		w.wantEvents(t, "within four minutes, without a listing")
		pass(time.Minute)
		w.wantEvents(t, "of the listing after five minutes", ContainerStarted)
		w.runtime.RemovePod("p")
		w.wantEvents(t, "of a removal", ContainerRemoved, ContainerDied, ContainerRemoved)
	})
}

func TestFallbackAndReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch(t, NewEvented)
		w.create(t)
		w.wantEvents(t, "of the creation", ContainerChanged)
		// The cut is the first failure, each retry is one more.
		w.runtime.CutStream(true)
		pass((maxStreamFailures - 2) * streamRetry)
		if got := w.Fallbacks(); got != 0 {
			t.Errorf("fell back after %d failures", maxStreamFailures-1)
		}
		pass(streamRetry)
		if got := w.Fallbacks(); got != 1 {
			t.Fatalf("%d fallbacks after %d failures, want 1", got, maxStreamFailures)
		}
		w.start(t)
		pass(relistPeriod)
		w.wantEvents(t, "a second after a start, without the stream", ContainerStarted)

		w.runtime.CutStream(false)
		pass(fallbackRetry)
		w.startUnseen("one")
		pass(relistPeriod)
		w.wantEvents(t, "of a listing, while the stream has delivered nothing", ContainerStarted)
		if got := w.Returns(); got != 0 {
			t.Errorf("%d returns to a stream that has delivered nothing", got)
		}
		w.exit()
		w.wantEvents(t, "of the stream", ContainerDied)
		w.startUnseen("two")
		pass(4 * time.Minute)
		w.wantEvents(t, "within four minutes, without a listing")
		if got := w.Returns(); got != 1 {
			t.Errorf("%d returns, want 1", got)
		}
	})
}

func TestStreamThatOnlyOpensLeadsToTheFallback(t *testing.T) {
	for _, test := range []struct {
		name     string
		delivers bool
		want     int64
	}{{"silent", false, 1}, {"delivering", true, 0}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := watch(t, NewEvented)
				for range 2 * maxStreamFailures {
					w.runtime.CutStream(true)
					w.runtime.CutStream(false)
					pass(streamRetry)
					if test.delivers {
						w.create(t)
					}
				}
				if got := w.Fallbacks(); got != test.want {
					t.Errorf("%d fallbacks, want %d", got, test.want)
				}
			})
		})
	}
}
