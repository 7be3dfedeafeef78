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

// Recorder is a recorder for unit tests. It repairs and counts Events as the SDK does, and stores them for the test. It
// replaces client-go's FakeRecorder. The strings of that one lack the object, its channel blocks the code under test
// when it is full, and it accepts Events that a server rejects.
//
// Recorder implements client-go's EventRecorder and EventRecorderLogger, and events.AnnotatedEventRecorder. For code
// that takes the old record.EventRecorder use legacy.AsLegacy(recorder).
//
// All methods are safe for concurrent use. Only [Recorder.WaitFor] blocks. Methods that return what was recorded first
// write it, with goroutines that have ended when they return. So a Recorder need not be closed, and works in a
// testing/synctest bubble. Occurrences after the end of its test are dropped. The zero value is not usable, see
// [NewRecorder].
type Recorder struct {
	// Recorder is for code that holds one. What it and those made from it record is in the recording, too.
	*events.Recorder
	t           testing.TB
	clock       clock.PassiveClock
	strict      bool
	broadcaster *events.Broadcaster // never started, so its writer, timer and writes run only while Flush does
	sink        *Sink

	mu          sync.Mutex // guards the rest
	occurrences []eventsv1.Event
	drops       []events.Drop
	over        int           // number of occurrences that are a finish interval old: their series may have ended
	changed     chan struct{} // closed by the next occurrence
	ended       bool
}

// NewRecorder returns a recorder without Events. It logs repairs and drops to t. The options are those of packages
// events: events.WithScheme for custom resources, and [Strict], which fails the test for each
// occurrence that is dropped or needs repair. By default, as in a component, an occurrence is repaired and counted in
// [Recorder.Stats], and a drop is listed in [Recorder.Drops]. The clock is the real one by default, which in a
// testing/synctest bubble is the bubble's. Handlers of drops and occurrences, and the finish interval of six minutes,
// are the recorder's own.
func NewRecorder(t testing.TB, opts ...events.Option) *Recorder {
	byDefault := []events.Option{
		events.WithLogger(ktesting.NewLogger(t, ktesting.NewConfig(ktesting.Verbosity(0)))),
		events.WithReportingInstance("eventstest-0"),
	}
	r := &Recorder{
		t:       t,
		sink:    NewSink(),
		changed: make(chan struct{}),
	}
	own := []events.Option{
		events.WithFinishInterval(finishInterval),
		events.WithDropHandler(r.hearDrop),
	}
	c := options.Apply(context.Background(), slices.Concat(byDefault, opts, own))
	r.clock = c.Clock
	r.strict = c.Strict
	r.sink.SetClock(r.clock)
	r.sink.CountOnly()
	c.Sink = r.sink
	c.OnOccurrence = r.hear
	c.BeforeRecord = r.prepare
	r.broadcaster = events.FromEngine(c.Config)
	r.Recorder = r.broadcaster.Recorder(c.SchemeOrDefault(), "eventstest")
	t.Cleanup(r.end)
	return r
}

// Strict returns an option by which a recorder drops events that would otherwise be repaired, as
// Dropped[DropInvalid], and [Recorder] fails its test for them. That includes every event of a recorder whose name or
// instance needs repair, and repeats, whose notes are formatted for that.
func Strict() events.Option {
	return options.ForEvents(func(c *options.Config) { c.Strict = true }, "Strict")
}

// Events returns the Events that an API server would have after a flush: one per series, with its count. They are in
// the order of their first occurrences.
func (r *Recorder) Events() []eventsv1.Event {
	r.flush()
	all := r.sink.Events()
	slices.SortStableFunc(all, func(a, b eventsv1.Event) int { return cmp.Compare(suffix(a.Name), suffix(b.Name)) })
	return all
}

// Series returns the Events without generated names, times and versions, for go-cmp and for [Want].
func (r *Recorder) Series() []Series { return SeriesOf(r.Events()...) }

// Occurrences returns an Event for every call, in order: repaired, and with its own note. Invalid calls are in Drops.
func (r *Recorder) Occurrences() []eventsv1.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []eventsv1.Event
	for i := range r.occurrences {
		all = append(all, *r.occurrences[i].DeepCopy())
	}
	return all
}

// Drops returns the calls that were not recorded, and the reasons. One reason is a nil object.
func (r *Recorder) Drops() []events.Drop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.drops)
}

// Stats returns the counters of a broadcaster. Repaired counts Events that an API server would have rejected.
func (r *Recorder) Stats() events.Stats {
	r.flush()
	return r.broadcaster.Stats()
}

// Check calls [Check] with the result of Series:
//
//	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
//		t.Error(err)
//	}
func (r *Recorder) Check(matcher Matcher) error { return Check(r.Series(), matcher) }

// WaitFor blocks until Check returns nil. It checks again after each occurrence and does not poll. If ctx ends first,
// the error has the matcher's report and wraps ctx's.
func (r *Recorder) WaitFor(ctx context.Context, matcher Matcher) error {
	for {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		unmet := r.Check(matcher)
		if unmet == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("eventstest: %w while waiting: %w", ctx.Err(), unmet)
		}
	}
}

// String returns one line for each of Series.
func (r *Recorder) String() string { return lines(r.Series()) }

// finishInterval is the broadcaster's default.
const finishInterval = 6 * time.Minute

// prepare ends the series that a timer would have ended. It is called before each occurrence.
func (r *Recorder) prepare() {
	now := r.clock.Now()
	r.mu.Lock()
	before := r.over
	for r.over < len(r.occurrences) && now.Sub(r.occurrences[r.over].EventTime.Time) >= finishInterval {
		r.over++
	}
	older := r.over > before
	r.mu.Unlock()
	if older {
		r.flush()
	}
}

func (r *Recorder) hear(event *eventsv1.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.occurrences = append(r.occurrences, *event)
	r.wake()
}

func (r *Recorder) hearDrop(drop events.Drop) {
	logf := func(string, ...any) {}
	switch {
	case r.strict:
		logf = r.t.Errorf
	case notRegistered(drop.Err):
		logf = r.t.Logf
	}
	text := notRecorded(&drop) // the error may be the caller's, so it is asked without a lock
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.drops = append(r.drops, drop)
	r.wake()
	logf("%s", text) // under the lock, because a test that has ended takes no lines
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
		text += ": pass the scheme that has it, NewRecorder(t, events.WithScheme(scheme))"
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
func (r *Recorder) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// flush writes everything. The goroutines that write have ended when it returns, which is soon, because the sink
// answers at once.
func (r *Recorder) flush() {
	if err := r.broadcaster.Flush(context.Background()); err != nil {
		panic("eventstest: " + err.Error()) // an invalid option
	}
}

// end makes the recorder drop later occurrences, because logging to a testing.TB after its test panics.
func (r *Recorder) end() {
	r.flush()
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	_ = r.broadcaster.Drain(context.Background()) // everything is flushed
}

func suffix(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
