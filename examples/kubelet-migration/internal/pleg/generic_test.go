// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// fakeRuntime has the pods that a test gives it.
type fakeRuntime struct {
	mu      sync.Mutex
	pods    []*cri.Pod
	listErr error
	broken  bool // no pod can be inspected
	lists   int
	inspect int
}

func (f *fakeRuntime) set(change func(*fakeRuntime)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// pod replaces the pods by one with one container, or by none for the state "".
func (f *fakeRuntime) pod(state cri.State) {
	f.set(func(f *fakeRuntime) {
		f.pods = nil
		if pod := podWith(state); pod != nil {
			f.pods = append(f.pods, pod)
		}
	})
}

// Pods lists the pods.
func (f *fakeRuntime) Pods(context.Context) ([]*cri.Pod, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists++
	var out []*cri.Pod
	for _, pod := range f.pods {
		listed := *pod
		listed.At = time.Now()
		out = append(out, &listed)
	}
	return out, f.listErr
}

// PodStatus inspects a pod.
func (f *fakeRuntime) PodStatus(_ context.Context, uid types.UID) (*cri.PodStatus, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inspect++
	if f.broken {
		return nil, errInspect
	}
	status := &cri.PodStatus{UID: uid}
	for _, pod := range f.pods {
		if pod.UID == uid {
			for _, c := range pod.Containers {
				status.Containers = append(status.Containers, cri.ContainerStatus{Container: c})
			}
		}
	}
	return status, nil
}

// generate runs a generator for the length of a test.
func generate(t *testing.T, run func(context.Context)) {
	t.Helper()
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), klog.Logger{})) // which logs nothing
	done := make(chan struct{})
	go func() { defer close(done); run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	synctest.Wait()
}

// pass lets time pass and what is due then happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// drain returns the events that are there.
func drain(events <-chan Event) (got []string) {
	synctest.Wait()
	for {
		select {
		case event := <-events:
			got = append(got, fmt.Sprint(event.UID, " ", event.Type))
		default:
			return got
		}
	}
}

func wantEvents(t *testing.T, when string, events <-chan Event, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, drain(events)); diff != "" {
		t.Errorf("events %s (-want +got):\n%s", when, diff)
	}
}

func TestRelistFindsTheLifeOfAContainer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime, cache := new(fakeRuntime), NewCache()
		g := NewGeneric(runtime, cache)
		generate(t, g.Run)
		for _, step := range []struct {
			state cri.State
			want  []string
		}{
			{cri.Created, []string{"p ContainerChanged"}},
			{cri.Running, []string{"p ContainerStarted"}},
			{cri.Running, nil},
			{cri.Exited, []string{"p ContainerDied"}},
			{"", []string{"p ContainerRemoved"}},
		} {
			runtime.pod(step.state)
			wantEvents(t, "before the relist of "+string(step.state), g.Events())
			pass(relistPeriod)
			wantEvents(t, "after the relist of "+string(step.state), g.Events(), step.want...)
			status, err := cache.Get("p")
			if latest := status.Latest("main"); err != nil || (latest == nil) != (step.state == "") {
				t.Errorf("status of %s in the cache: %+v, %v", step.state, status, err)
			}
		}
		if runtime.inspect != 3 {
			t.Errorf("%d inspections, want one per change of a pod that is there: 3", runtime.inspect)
		}
	})
}

func TestFirstRelistIsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime := new(fakeRuntime)
		runtime.pod(cri.Running)
		g := NewGeneric(runtime, NewCache())
		generate(t, g.Run)
		wantEvents(t, "without a wait", g.Events(), "p ContainerStarted")
	})
}

func TestUnreadableStatusIsInspectedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime, cache := new(fakeRuntime), NewCache()
		g := NewGeneric(runtime, cache)
		generate(t, g.Run)
		runtime.pod(cri.Running)
		runtime.set(func(f *fakeRuntime) { f.broken = true })
		pass(3 * relistPeriod)
		wantEvents(t, "while the status is unreadable", g.Events())
		if _, err := cache.Get("p"); !errors.Is(err, errInspect) {
			t.Errorf("the cache has the error %v, want %v", err, errInspect)
		}
		runtime.set(func(f *fakeRuntime) { f.broken = false })
		pass(relistPeriod)
		wantEvents(t, "when it is readable again", g.Events(), "p ContainerStarted")
		if _, err := cache.Get("p"); err != nil {
			t.Errorf("the cache still has the error %v", err)
		}
		if runtime.inspect != 4 {
			t.Errorf("%d inspections, want 3 that failed and one", runtime.inspect)
		}
	})
}

func TestReinspectionOfAPodThatIsTheSameAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime := new(fakeRuntime)
		runtime.pod(cri.Running)
		g := NewGeneric(runtime, NewCache())
		generate(t, g.Run)
		wantEvents(t, "at first", g.Events(), "p ContainerStarted")
		runtime.pod(cri.Exited)
		runtime.set(func(f *fakeRuntime) { f.broken = true })
		pass(relistPeriod)
		runtime.pod(cri.Running)
		runtime.set(func(f *fakeRuntime) { f.broken = false })
		pass(relistPeriod)
		wantEvents(t, "after a change that came and went unread", g.Events(), "p PodSync")
		pass(relistPeriod)
		wantEvents(t, "afterwards", g.Events())
	})
}

func TestReinspectionDoesNotWaitForALongPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime := new(fakeRuntime)
		runtime.pod(cri.Running)
		runtime.broken = true
		g := NewGeneric(runtime, NewCache())
		g.period = time.Hour
		generate(t, g.Run)
		runtime.set(func(f *fakeRuntime) { f.broken = false })
		pass(relistPeriod)
		wantEvents(t, "after the short period", g.Events(), "p ContainerStarted")
	})
}

func TestFailedListingReportsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime, cache := new(fakeRuntime), NewCache()
		runtime.pod(cri.Running)
		g := NewGeneric(runtime, cache)
		generate(t, g.Run)
		drain(g.Events())
		runtime.set(func(f *fakeRuntime) { f.pods, f.listErr = nil, errors.New("runtime is down") })
		asOf := time.Now()
		pass(3 * relistPeriod)
		wantEvents(t, "while the runtime is down", g.Events())
		if a := askNewerThan(t.Context(), cache, "p", asOf); a.done {
			t.Error("the cache claims to be newer than the last listing")
		}
		runtime.set(func(f *fakeRuntime) { f.listErr = nil })
		pass(relistPeriod)
		wantEvents(t, "when it is back without the pod", g.Events(), "p ContainerDied", "p ContainerRemoved")
	})
}

func TestEventThatDoesNotFitIsMadeUpFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runtime := new(fakeRuntime)
		g := NewGeneric(runtime, NewCache())
		g.events = make(chan Event) // nobody receives while it is sent
		runtime.pod(cri.Running)
		generate(t, g.Run)
		if got := g.Dropped(); got != 1 {
			t.Fatalf("Dropped = %d, want 1", got)
		}
		if got := <-g.Events(); got != (Event{UID: "p", Type: PodSync}) {
			t.Errorf("event after the drop: %v, want a PodSync", got)
		}
	})
}
