// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2/ktesting"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/options"
)

// recording is shared by a Recorder and those made from it. Its broadcaster is never started, so Flush writes in the
// caller's goroutine.
type recording struct {
	t           testing.TB
	clock       clock.PassiveClock
	strict      bool
	broadcaster *events.Broadcaster
	sink        *Sink

	mu          sync.Mutex // guards the rest
	occurrences []eventsv1.Event
	drops       []events.Drop
	over        int           // number of occurrences that are a finish interval old: their series may have ended
	changed     chan struct{} // closed by the next occurrence
	ended       bool
}

// finishInterval is the broadcaster's default.
const finishInterval = 6 * time.Minute

func newRecording(t testing.TB, common *options.Common, controller string, opts []events.Option) *recording {
	r := &recording{t: t, clock: common.Clock, strict: common.Strict, sink: NewSink(), changed: make(chan struct{})}
	r.sink.SetClock(r.clock)
	r.sink.CountOnly()
	byDefault := []events.Option{
		events.WithLogger(ktesting.NewLogger(t, ktesting.NewConfig(ktesting.Verbosity(0)))),
		events.WithReportingInstance(controller + "-0"),
	}
	r.broadcaster = events.NewBroadcaster(r.sink, slices.Concat(byDefault, opts, []events.Option{
		events.WithFinishInterval(finishInterval),
		events.WithOccurrenceHandler(r.hear), events.WithDropHandler(r.hearDrop),
		options.For(func(e *options.Engine) { e.Before = r.prepare }),
	})...)
	t.Cleanup(r.end)
	return r
}

// prepare ends the series that a timer would have ended. It is called before each occurrence.
func (r *recording) prepare() {
	if r.age(r.clock.Now()) {
		r.flush()
	}
}

// age reports whether a series may have become old enough to end since the last call.
func (r *recording) age(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.over
	for r.over < len(r.occurrences) && now.Sub(r.occurrences[r.over].EventTime.Time) >= finishInterval {
		r.over++
	}
	return r.over > before
}

func (r *recording) hear(event *eventsv1.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.occurrences = append(r.occurrences, *event)
	r.wake()
}

func (r *recording) hearDrop(drop events.Drop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.drops = append(r.drops, drop)
	r.wake()
	switch {
	case r.strict:
		r.t.Errorf("%s", notRecorded(&drop))
	case notRegistered(drop.Err):
		r.t.Logf("%s", notRecorded(&drop))
	}
}

// notRecorded describes a drop, and the remedy where the test has one.
func notRecorded(drop *events.Drop) string {
	text := fmt.Sprintf("eventstest: not recorded, %s: %s %s", drop.Reason, drop.Type, cmp.Or(drop.EventReason, `""`))
	if drop.Regarding != (corev1.ObjectReference{}) {
		text += " regarding " + object(&drop.Regarding).String()
	}
	if drop.Err != nil {
		text += ": " + drop.Err.Error()
	}
	if notRegistered(drop.Err) {
		text += ": pass the scheme that has it, NewRecorder(t, adapter.WithScheme(scheme))"
	}
	return text
}

// notRegistered reports whether err says that a scheme does not know a type.
func notRegistered(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if runtime.IsNotRegisteredError(err) {
			return true
		}
	}
	return false
}

// wake lets waiting callers check again. The caller holds r.mu.
func (r *recording) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// flush writes everything. It does not block, because the sink answers at once.
func (r *recording) flush() {
	if err := r.broadcaster.Flush(context.Background()); err != nil {
		panic("eventstest: " + err.Error()) // an invalid option
	}
}

// end makes the recording drop later occurrences, because logging to a testing.TB after its test panics.
func (r *recording) end() {
	r.flush()
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	_ = r.broadcaster.Drain(context.Background()) // everything is flushed
}

// stored flushes and returns all Events in the order of first occurrence, which is in their names.
func (r *recording) stored() []eventsv1.Event {
	r.flush()
	all := r.sink.Events()
	slices.SortStableFunc(all, func(a, b eventsv1.Event) int { return cmp.Compare(suffix(a.Name), suffix(b.Name)) })
	return all
}

func suffix(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func (r *recording) heard() []eventsv1.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []eventsv1.Event
	for i := range r.occurrences {
		all = append(all, *r.occurrences[i].DeepCopy())
	}
	return all
}

func (r *recording) nextChange() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

func (r *recording) dropped() []events.Drop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.drops)
}
