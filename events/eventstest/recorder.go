// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"fmt"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"

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
// All methods are safe for concurrent use. Only [Recorder.WaitFor] blocks, and no goroutine is started. So a Recorder
// need not be closed, and works in a testing/synctest bubble. Occurrences after the end of its test are dropped. The
// zero value is not usable, see [NewRecorder].
type Recorder struct {
	// Recorder is for code that holds one. What it and those made from it record is in the recording, too.
	*events.Recorder
	recording *recording
}

// NewRecorder returns a recorder without Events. It logs repairs and drops to t. The options are those of packages
// events and adapter: adapter.WithScheme for custom resources, and events.WithStrict, which fails the test for each
// occurrence that is dropped or needs repair. By default, as in a component, an occurrence is repaired and counted in
// [Recorder.Stats], and a drop is listed in [Recorder.Drops]. The clock is the real one by default, which in a
// testing/synctest bubble is the bubble's. Handlers of drops and occurrences, and the finish interval of six minutes,
// are the recorder's own.
func NewRecorder(t testing.TB, opts ...events.Option) *Recorder {
	config := recorderConfig{controller: "eventstest"}
	options.Apply(opts, &config)
	common := options.NewCommon(context.Background(), opts)
	r := newRecording(t, &common, config.controller, opts)
	return &Recorder{r.broadcaster.Recorder(common.Scheme, config.controller), r}
}

// Events returns the Events that an API server would have after a flush: one per series, with its count. They are in
// the order of their first occurrences.
func (r *Recorder) Events() []eventsv1.Event { return r.recording.stored() }

// ByReason returns the Events with this reason.
func (r *Recorder) ByReason(reason string) []eventsv1.Event {
	return selected(r.recording.stored(), func(e *eventsv1.Event) bool { return e.Reason == reason })
}

// ForObject returns the Events that regard object: same kind, namespace, name, and UID if object has one.
func (r *Recorder) ForObject(object runtime.Object) []eventsv1.Event {
	return selected(r.recording.stored(), about(object))
}

// Series returns the Events without generated names, times and versions, for go-cmp and for [Want].
func (r *Recorder) Series() []Series { return SeriesOf(r.recording.stored()...) }

// Occurrences returns an Event for every call, in order: repaired, and with its own note. Invalid calls are in Drops.
func (r *Recorder) Occurrences() []eventsv1.Event { return r.recording.heard() }

// Drops returns the calls that were not recorded, and the reasons. One reason is a nil object.
func (r *Recorder) Drops() []events.Drop { return r.recording.dropped() }

// Written returns the namespaces and verbs of the writes, for [Needs]. The API group is always events.k8s.io.
func (r *Recorder) Written() []Access {
	r.recording.flush()
	return r.recording.sink.Written()
}

// Stats returns the counters of a broadcaster. Repaired counts Events that an API server would have rejected.
func (r *Recorder) Stats() events.Stats {
	r.recording.flush()
	return r.recording.broadcaster.Stats()
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
		changed := r.recording.nextChange()
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
