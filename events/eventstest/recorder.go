// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"fmt"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

// Recorder is a recorder for unit tests. What it records goes through the SDK's own repair and series to a [Sink],
// where the test reads it. It takes the place of client-go's FakeRecorder, whose strings do not say which object they
// are about, whose channel blocks the code under test when it is full, and which accepts what a server refuses.
//
// It satisfies client-go's EventRecorder and EventRecorderLogger and events.AnnotatedEventRecorder; code that takes the
// old record.EventRecorder gets legacy.AsLegacy(recorder).
//
// All methods are safe for concurrent use. No goroutine is started and nothing blocks but [Recorder.WaitFor], so a
// Recorder needs no end and works in a testing/synctest bubble. What is recorded after the end of its test is dropped.
// The zero value is not usable, see [NewRecorder].
type Recorder struct {
	recording *recording
	recorder  *events.Recorder
}

var (
	_ clientevents.EventRecorderLogger = (*Recorder)(nil)
	_ events.AnnotatedEventRecorder    = (*Recorder)(nil)
)

// NewRecorder returns a recorder that holds nothing. What the SDK has to say about an occurrence (a repair, a reason
// for a drop) is logged to t.
func NewRecorder(t testing.TB, opts ...RecorderOption) *Recorder {
	c := newRecorderConfig(opts)
	r := newRecording(t, c)
	return &Recorder{r, r.broadcaster.NewRecorder(c.scheme, c.controller).(*events.Recorder)}
}

// Eventf is that of events.Recorder.
func (r *Recorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	r.recording.prepare()
	r.recorder.Eventf(regarding, related, eventtype, reason, action, note, args...)
}

// AnnotatedEventf is that of events.Recorder.
func (r *Recorder) AnnotatedEventf(
	regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	r.recording.prepare()
	r.recorder.AnnotatedEventf(regarding, related, annotations, eventtype, reason, action, note, args...)
}

// Event is that of events.Recorder: Eventf for a note that is no format.
func (r *Recorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	r.recording.prepare()
	r.recorder.Event(regarding, related, eventtype, reason, action, note)
}

// WithLogger returns a recorder that shares everything with this one but says what is wrong with events to logger.
func (r *Recorder) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	return &Recorder{r.recording, r.recorder.WithLogger(logger).(*events.Recorder)}
}

// WithNotes returns a recorder that shares everything with this one but has its own policy for differing notes.
func (r *Recorder) WithNotes(policy events.NotePolicy) clientevents.EventRecorderLogger {
	return &Recorder{r.recording, r.recorder.WithNotes(policy).(*events.Recorder)}
}

// Events returns what an API server would hold if the component flushed now, in the order of first occurrence: one
// Event per series, with its count.
func (r *Recorder) Events() []eventsv1.Event { return r.recording.stored() }

// ByReason returns those of Events that have this reason.
func (r *Recorder) ByReason(reason string) []eventsv1.Event {
	return selected(r.recording.stored(), func(e *eventsv1.Event) bool { return e.Reason == reason })
}

// ForObject returns those of Events that regard object: of its kind, namespace and name, and of its UID if it has one.
func (r *Recorder) ForObject(object runtime.Object) []eventsv1.Event {
	return selected(r.recording.stored(), about(object))
}

// Series returns Events without what is generated or measured, for go-cmp and for [Want].
func (r *Recorder) Series() []Series { return SeriesOf(r.recording.stored()...) }

// Occurrences returns every call in order, each as the Event it would be if it stayed the only one: repaired, and with
// the note that a series does not keep. Those refused as Invalid are in Drops.
func (r *Recorder) Occurrences() []eventsv1.Event { return r.recording.heard() }

// Drops returns what was not recorded, and why: an occurrence without an object, say.
func (r *Recorder) Drops() []events.Drop { return r.recording.dropped() }

// Written returns where Events were written to, as the argument of [Needs]: the API group is always events.k8s.io.
func (r *Recorder) Written() []Access {
	r.recording.flush()
	return r.recording.sink.Written()
}

// Stats returns the counts of a broadcaster. Repaired counts what an API server would have refused.
func (r *Recorder) Stats() events.Stats {
	r.recording.flush()
	return r.recording.broadcaster.Stats()
}

// Check is the function [Check] of what Series returns:
//
//	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
//		t.Error(err)
//	}
func (r *Recorder) Check(matcher Matcher) error { return Check(r.Series(), matcher) }

// WaitFor blocks until Check would return nil, and looks again with each occurrence; there is no polling. If ctx ends
// before, the error has the matcher's report and wraps ctx's.
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

// String lists Series, a line each.
func (r *Recorder) String() string { return lines(r.Series()) }
