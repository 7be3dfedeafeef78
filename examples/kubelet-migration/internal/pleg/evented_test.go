// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

var errOpen = errors.New("cannot open the stream")

// fakeSource is a stream that a test feeds. Without a channel it is one that
// cannot be opened.
type fakeSource struct {
	mu     sync.Mutex
	events chan cri.Event
}

// Watch opens the stream.
func (f *fakeSource) Watch(context.Context) (<-chan cri.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.events == nil {
		return nil, errOpen
	}
	return f.events, nil
}

// say sends what a runtime would when the container got into a state.
func (f *fakeSource) say(state cri.State) {
	pod := &cri.Pod{UID: "p"}
	if p := podWith(state); p != nil {
		pod = p
	}
	pod.At = time.Now()
	f.events <- cri.Event{Pod: pod, Status: &cri.PodStatus{UID: "p", At: pod.At}}
	synctest.Wait()
}

// cut breaks the stream for good, restore makes the next attempt succeed.
func (f *fakeSource) cut() {
	f.mu.Lock()
	close(f.events)
	f.events = nil
	f.mu.Unlock()
	synctest.Wait()
}

func (f *fakeSource) restore() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = make(chan cri.Event, 10)
}

// world is an Evented with everything around it.
type world struct {
	runtime *fakeRuntime
	source  *fakeSource
	cache   *Cache
	evented *Evented
}

// newWorld runs an Evented whose stream works.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{runtime: new(fakeRuntime), source: new(fakeSource), cache: NewCache()}
	w.source.restore()
	w.evented = NewEvented(NewGeneric(w.runtime, w.cache), w.source, DefaultSettings())
	generate(t, w.evented.Run)
	return w
}

// lists is how often the runtime is listed while d passes.
func (w *world) lists(d time.Duration) int {
	w.runtime.set(func(f *fakeRuntime) { f.lists = 0 })
	pass(d)
	return w.runtime.lists
}

func TestStreamReportsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		pass(time.Second)
		asOf := time.Now().Add(-1)
		w.source.say(cri.Running)
		wantEvents(t, "of a start", w.evented.Events(), "p ContainerStarted")
		if a := askNewerThan(t.Context(), w.cache, "p", asOf); !a.done || a.err != nil {
			t.Errorf("status in the cache: %+v", *a)
		}
		w.source.say(cri.Exited)
		wantEvents(t, "of an exit", w.evented.Events(), "p ContainerDied")
		w.source.say("")
		wantEvents(t, "of a removal", w.evented.Events(), "p ContainerRemoved")
		if w.runtime.inspect != 0 {
			t.Errorf("%d inspections, want none: the stream carries the status", w.runtime.inspect)
		}
	})
}

func TestRelistPeriodIsLongWhileTheStreamWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		if got := w.lists(time.Hour); got != 12 {
			t.Errorf("%d listings in an hour, want one each 5 minutes", got)
		}
	})
}

func TestFallbackAfterTheConfiguredFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		settings := DefaultSettings()
		// The cut is the first failure, each retry one more.
		w.source.cut()
		pass(time.Duration(settings.Failures-2) * settings.Retry)
		if got := w.evented.Fallbacks(); got != 0 {
			t.Errorf("fell back after %d failures", settings.Failures-1)
		}
		pass(settings.Retry)
		if got := w.evented.Fallbacks(); got != 1 {
			t.Fatalf("%d fallbacks after %d failures, want 1", got, settings.Failures)
		}
		w.runtime.pod(cri.Running)
		pass(relistPeriod)
		wantEvents(t, "a second after a start, without the stream", w.evented.Events(), "p ContainerStarted")
		if got := w.lists(time.Minute); got < 59 || got > 63 {
			t.Errorf("%d listings in a minute, want one each second and one per retry", got)
		}
	})
}

func TestStreamThatOnlyOpensLeadsToTheFallbackToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for range DefaultSettings().Failures {
			w.source.cut()
			w.source.restore()
			pass(DefaultSettings().Retry)
		}
		if got := w.evented.Fallbacks(); got != 1 {
			t.Errorf("%d fallbacks, want 1", got)
		}
	})
}

func TestFailuresAreCountedInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for range 3 * DefaultSettings().Failures {
			w.source.cut()
			w.source.restore()
			pass(DefaultSettings().Retry)
			w.source.say(cri.Running)
		}
		if got := w.evented.Fallbacks(); got != 0 {
			t.Errorf("%d fallbacks of a stream that delivered between its failures, want 0", got)
		}
	})
}

func TestReturnWhenTheStreamDeliversAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.source.cut()
		pass(time.Minute)
		w.source.restore()
		pass(DefaultSettings().RetryFallenBack)
		if got := w.lists(10 * time.Second); got != 10 {
			t.Errorf("%d listings in 10s of a stream that has said nothing yet, want 10", got)
		}
		w.source.say(cri.Running)
		if got := w.evented.Returns(); got != 1 {
			t.Fatalf("%d returns, want 1", got)
		}
		if got := w.lists(time.Hour); got != 12 {
			t.Errorf("%d listings in an hour after the return, want 12", got)
		}
	})
}

func TestBrokenStreamMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.source.say(cri.Running)
		drain(w.evented.Events())
		w.runtime.pod(cri.Exited) // and the stream broke before it could say so
		w.source.cut()
		wantEvents(t, "at the cut", w.evented.Events(), "p ContainerDied")
		w.runtime.pod("")
		w.source.restore()
		pass(DefaultSettings().Retry)
		wantEvents(t, "when the stream is open again", w.evented.Events(), "p ContainerRemoved")
	})
}

func TestWhatTheListingSawIsNotReportedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		late := cri.Event{Pod: podWith(cri.Running), Status: &cri.PodStatus{UID: "p"}}
		late.Pod.At = time.Now()
		pass(time.Second)
		w.runtime.pod(cri.Exited)
		w.source.cut() // which lists
		wantEvents(t, "of the listing", w.evented.Events(), "p ContainerDied")
		w.source.restore()
		pass(time.Second)
		w.source.events <- late
		wantEvents(t, "of the stream, late", w.evented.Events())
		w.source.say(cri.Exited)
		wantEvents(t, "of the stream, the same", w.evented.Events())
		w.runtime.pod("")
		w.source.cut()
		wantEvents(t, "of the listing without the pod", w.evented.Events(), "p ContainerRemoved")
		w.source.restore()
		pass(time.Second)
		w.source.events <- late
		wantEvents(t, "of the stream, about a pod that is gone", w.evented.Events())
	})
}

func TestSilentStreamKeepsTheCacheFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		pass(time.Second)
		a := askNewerThan(t.Context(), w.cache, "p", time.Now())
		pass(DefaultSettings().Confirm)
		if !a.done {
			t.Errorf("no status %v after it was asked for", DefaultSettings().Confirm)
		}
	})
}
