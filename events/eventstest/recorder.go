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
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2/ktesting"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/options"
)

// Recorder is a recorder for unit tests. It repairs Events and counts occurrences as the SDK does
// in production, and keeps the Events for the test. Create one with [NewRecorder]; the zero value
// is not usable.
//
// Use it instead of client-go's FakeRecorder, which accepts Events that a server rejects, does not
// name the object in its strings, and blocks the code under test when its channel is full.
//
// Recorder implements client-go's EventRecorder and EventRecorderLogger, and
// events.AnnotatedEventRecorder. For code that takes the old record.EventRecorder, use
// legacy.AsLegacy(recorder).
//
// All methods are safe for concurrent use. Only [Recorder.WaitFor] blocks. The methods that return
// recorded Events first write them to a [Sink]. Before these methods return, they end the
// goroutines that write. Therefore a Recorder need not be closed, and works in a testing/synctest
// bubble. Occurrences that are recorded after the end of the test are dropped.
type Recorder struct {
	// Recorder is the recorder to pass to code that takes an *events.Recorder. The methods below
	// also return the Events that are recorded through it or its copies.
	*events.Recorder
	t      TB
	clock  clock.PassiveClock
	strict bool
	// broadcaster is never started, so its goroutines run only during Flush.
	broadcaster *events.Broadcaster
	sink        *Sink

	// mu guards the fields below.
	mu          sync.Mutex
	occurrences []eventsv1.Event
	drops       []events.Drop
	// expired is the number of occurrences that are older than the finish interval, so that their
	// series may have ended.
	expired int
	// changed is closed by the next occurrence or drop.
	changed chan struct{}
	// ended is true after the end of the test.
	ended bool
}

// NewRecorder returns an empty recorder. It logs to t what a component would log about repairs and
// drops, such as the first repair of each kind.
//
// An occurrence that needs a repair is repaired as in a component and counted in [Recorder.Stats],
// and a dropped occurrence is listed in [Recorder.Drops]. Neither fails the test, unless the option
// [Strict] is set.
//
// opts are options of package events. For custom resources, pass events.WithScheme with the scheme
// that contains them. The default clock is that of package time, so a testing/synctest bubble
// replaces it with its fake clock. The finish interval is six minutes. Options for the finish
// interval and for the drop handler have no effect.
func NewRecorder(t TB, opts ...events.Option) *Recorder {
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
	c.NeedNotStart = true
	r.broadcaster = events.FromEngine(c.Config)
	r.Recorder = r.broadcaster.Recorder(c.SchemeOrDefault(), "eventstest")
	t.Cleanup(r.end)
	return r
}

// Strict returns an option that forbids repairs. An occurrence that needs a repair is dropped and
// counted in Dropped[DropInvalid], and every drop fails the test of a [Recorder]. If the name, the
// instance or the labels of a recorder need a repair, all occurrences of this recorder are dropped.
// The note of every occurrence is formatted and checked, even if the occurrence is a repeat.
func Strict() events.Option {
	return options.ForEvents(func(c *options.Config) { c.Strict = true }, "Strict")
}

// Events returns the Events that an API server would store if the component flushed now: one for
// each series, with its count. They are sorted by the time of their first occurrence.
func (r *Recorder) Events() []eventsv1.Event {
	r.flush()
	all := r.sink.Events()
	slices.SortStableFunc(all, func(a, b eventsv1.Event) int { return cmp.Compare(suffix(a.Name), suffix(b.Name)) })
	return all
}

// Series returns the Events without generated names, times and versions, for comparison with
// go-cmp.
func (r *Recorder) Series() []Series { return SeriesOf(r.Events()...) }

// Occurrences returns an Event for each call, in the order of the calls. Each Event has the note of
// its own call. Values that an API server would refuse are repaired, as in a component. Invalid
// calls are not included; see [Recorder.Drops].
func (r *Recorder) Occurrences() []eventsv1.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []eventsv1.Event
	for i := range r.occurrences {
		all = append(all, *r.occurrences[i].DeepCopy())
	}
	return all
}

// Drops returns the calls that were dropped, for example because the object was nil. Each entry of
// the result says why its call was dropped.
func (r *Recorder) Drops() []events.Drop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.drops)
}

// Stats returns the counters that the broadcaster of a component would report. Repaired counts the
// changes that were made to Events because an API server would otherwise have rejected them.
func (r *Recorder) Stats() events.Stats {
	r.flush()
	return r.broadcaster.Stats()
}

// Check returns nil if the result of Series satisfies matcher, and otherwise an error with the
// matcher's failure message. See [Check].
//
//	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
//		t.Error(err)
//	}
func (r *Recorder) Check(matcher Matcher) error { return Check(r.Series(), matcher) }

// WaitFor blocks until Check returns nil. It checks again after each occurrence and does not poll.
// If ctx ends first, WaitFor returns an error that contains the matcher's failure message and wraps
// the error of ctx.
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

// String returns one line for each series.
func (r *Recorder) String() string { return lines(r.Series()) }

// finishInterval equals the default finish interval of a broadcaster.
const finishInterval = 6 * time.Minute

// prepare ends the series that the timer of a started broadcaster would have ended by now. It is
// called before each occurrence.
func (r *Recorder) prepare() {
	now := r.clock.Now()
	r.mu.Lock()
	before := r.expired
	for r.expired < len(r.occurrences) && now.Sub(r.occurrences[r.expired].EventTime.Time) >= finishInterval {
		r.expired++
	}
	older := r.expired > before
	r.mu.Unlock()
	if older {
		r.flush()
	}
}

// hear is called with each occurrence.
func (r *Recorder) hear(event *eventsv1.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.occurrences = append(r.occurrences, *event)
	r.wake()
}

// hearDrop is called with each drop.
func (r *Recorder) hearDrop(drop events.Drop) {
	logf := func(string, ...any) {}
	switch {
	case r.strict:
		logf = r.t.Errorf
	case notRegistered(drop.Err):
		logf = r.t.Logf
	}
	// The error may be code of the caller, so its text is made without a lock.
	text := notRecorded(&drop)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.drops = append(r.drops, drop)
	r.wake()
	// Log while the lock keeps the test from ending, because logging after the end of a test causes
	// a panic.
	logf("%s", text)
}

// notRecorded describes a drop. If the scheme does not contain the object's type, it says how to
// change the test.
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

// notRegistered reports whether err says that a type is not registered in a scheme.
func notRegistered(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if runtime.IsNotRegisteredError(err) {
			return true
		}
	}
	return false
}

// wake makes callers of WaitFor check again. The caller must hold r.mu.
func (r *Recorder) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// flush writes all pending occurrences. It does not take long, because the sink answers
// immediately.
func (r *Recorder) flush() {
	if err := r.broadcaster.Flush(context.Background()); err != nil {
		// An option is invalid.
		panic("eventstest: " + err.Error())
	}
}

// end makes the recorder drop later occurrences, because logging to a testing.TB after the end of
// its test causes a panic.
func (r *Recorder) end() {
	r.flush()
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	// Nothing is lost, because everything has been flushed.
	_ = r.broadcaster.Drain(context.Background())
}

// suffix returns the generated part at the end of an Event's name. The suffixes of two Events sort
// in the order in which the Events were created.
func suffix(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
