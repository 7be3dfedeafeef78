// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
)

// GiveUp counts every item that was not handled, whether the handler is slow, does not return or
// has ended its goroutine, and whether the watcher was stopped before.
func TestGiveUpCountsWhatWasNotHandled(t *testing.T) {
	handlers := map[string]func(release chan struct{}){
		"slow":         func(chan struct{}) { time.Sleep(3 * time.Second) },
		"stuck":        func(release chan struct{}) { <-release },
		"ends its own": func(chan struct{}) { runtime.Goexit() },
	}
	for name, handle := range handlers {
		for _, stopped := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stopped before: %v", name, stopped), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var group lifecycle.Group
					w, release := NewWatchers[int](&group), make(chan struct{})
					var handled atomic.Int64
					one := w.Add(func(int) { handled.Add(1); handle(release) }, nil)
					for i := range 10 {
						w.Publish(w.All(), i, 0)
					}
					if stopped {
						one.Stop()
					}
					time.Sleep(time.Second)
					w.Close()
					w.GiveUp()
					close(release)
					group.Wait(context.Background())
					if handled.Load() != 1 || w.Dropped() != 9 {
						t.Errorf("handled %d, dropped %d, want 1 and 9", handled.Load(), w.Dropped())
					}
				})
			})
		}
	}
}

// A recorder may publish to a watcher that was stopped after the recorder had got it from All. The
// item is counted as dropped.
func TestPublishAfterStopIsCounted(t *testing.T) {
	var group lifecycle.Group
	w := NewWatchers[int](&group)
	stop := w.Add(func(int) {}, nil)
	late := w.All()
	stop.Stop()
	stop.Stop()
	w.Publish(late, 1, 0)
	group.Wait(context.Background())
	if w.Dropped() != 1 || Wanted(w.All(), 0) {
		t.Errorf("dropped %d, watchers %v, want 1 and none", w.Dropped(), w.All())
	}
	w.Close()
	if w.Add(func(int) {}, nil) != nil {
		t.Error("a watcher was added after Close")
	}
}

func TestEveryItemIsHandledOrCountedConcurrentSafe(t *testing.T) {
	for range 20 {
		var group lifecycle.Group
		w := NewWatchers[int](&group)
		var handled, published atomic.Int64
		w.Add(func(int) { handled.Add(1) }, nil)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for i := range 500 {
					if to := w.All(); Wanted(to, 0) {
						published.Add(1)
						w.Publish(to, i, 0)
					}
				}
			})
		}
		w.Close()
		w.GiveUp()
		all.Wait()
		group.Wait(context.Background())
		if got := handled.Load() + w.Dropped(); got != published.Load() {
			t.Fatalf("%d handled and counted of %d", got, published.Load())
		}
	}
}

// Handlers are called until they are stopped, even if others panic.
func TestHandlers(t *testing.T) {
	h := NewHandlers[string]("handler", NewLog(klog.Logger{}, clock.RealClock{}))
	var got []string
	add := func(name string) (stop func()) {
		return h.Add(func(value string) { got = append(got, name+value) })
	}
	if h.Any() {
		t.Error("there are handlers before the first one")
	}
	stopA := add("a")
	h.Add(func(string) { panic("of the caller") })
	stopB := add("b")
	h.Call("1")
	stopA()
	// A second call must not stop another handler.
	stopA()
	h.Call("2")
	stopB()
	h.Call("3")
	// The handlers a and b were called with 1 in any order.
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a1", "b1", "b2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
