// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Handlers are called until they are stopped, whatever the others do.
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
	stopA() // again, which must not stop another one
	h.Call("2")
	stopB()
	h.Call("3")
	slices.Sort(got) // a and b were called with 1 in any order
	if diff := cmp.Diff([]string{"a1", "b1", "b2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHandlersConcurrentSafe(t *testing.T) {
	h := NewHandlers[int64]("handler", NewLog(klog.Logger{}, clock.RealClock{}))
	var all sync.WaitGroup
	var sum atomic.Int64
	for range 4 {
		all.Go(func() {
			for range 100 {
				h.Add(func(n int64) { sum.Add(n) })()
			}
		})
		all.Go(func() {
			for range 100 {
				h.Call(1)
			}
		})
	}
	all.Wait()
	if h.Any() {
		t.Error("a handler is left")
	}
}
