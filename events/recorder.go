// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"fmt"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Recorder records Events as one reporting controller. Its methods copy what
// they need before they return, never block on I/O, start no goroutine and are
// safe for concurrent use. An event that the API server would refuse is
// repaired, or counted and logged when it cannot be. Get one from
// [Broadcaster.NewRecorder].
type Recorder struct {
	b                    *Broadcaster
	refs                 *referrer
	controller, instance string
	notes                NotePolicy
	logger               klog.Logger
	told                 *atomic.Uint32 // which repairs were logged, a bit each
	refused              repairSet      // what WithStrict does not take of the controller and instance
}

var (
	_ clientevents.EventRecorderLogger = (*Recorder)(nil)
	_ AnnotatedEventRecorder           = (*Recorder)(nil)
)

func newRecorder(b *Broadcaster, scheme *runtime.Scheme, controller string) *Recorder {
	r := &Recorder{
		b: b, refs: &referrer{scheme: scheme}, notes: b.config.notes, logger: *b.config.logger,
		told: &atomic.Uint32{},
	}
	var repaired repairSet
	r.controller = repairController(controller, &repaired)
	r.instance = reportingInstance(b.config.instance, r.controller, &repaired)
	if b.config.strict {
		r.refused = repaired
	} else {
		r.note(repaired)
	}
	return r
}

// Eventf records that reason happened to regarding, while the controller did
// action, in connection with related (which may be nil). eventtype is Normal or
// Warning. note is formatted with args. Without args it is taken as it is, but
// for %% in a note without any verb, which stands for %.
func (r *Recorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	r.record(&occurrence{
		regarding: regarding, related: related, kind: eventtype, reason: reason, action: action, note: note, args: args,
	})
}

// AnnotatedEventf is Eventf with annotations for the Event. Those of later
// occurrences are merged into the series; keys are never deleted.
func (r *Recorder) AnnotatedEventf(
	regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	r.record(&occurrence{
		regarding: regarding, related: related, annotations: annotations,
		kind: eventtype, reason: reason, action: action, note: note, args: args,
	})
}

// Event is Eventf for a note that is no format: it is recorded verbatim.
func (r *Recorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	r.record(&occurrence{
		regarding: regarding, related: related, kind: eventtype, reason: reason, action: action, note: note,
		verbatim: true,
	})
}

// WithLogger returns a recorder that says what is wrong with events to logger.
// It shares everything else with this one.
func (r *Recorder) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	other := *r
	other.logger = usercode.Logger(logger)
	return &other
}

// WithNotes returns a recorder with its own policy for differing notes. An
// invalid policy changes nothing.
func (r *Recorder) WithNotes(policy NotePolicy) clientevents.EventRecorderLogger {
	other := *r
	if policy == NotesFirst || policy == NotesLatest || policy > 0 {
		other.notes = policy
	}
	return &other
}

// ReportingInstance is what the recorder's Events say they were reported by.
func (r *Recorder) ReportingInstance() string { return r.instance }

// record walks one occurrence from the call into its series. Caller code (the
// objects' accessors, the args' Stringers, handlers) runs without any lock.
func (r *Recorder) record(o *occurrence) {
	b := r.b
	in := series.Occurrence{At: b.config.clock.Now(), DistinctNotes: r.notes.distinct()}
	var key series.Key
	err := r.identify(o, &key)
	watchers := b.watchers.Active()
	watched := watchers != nil || b.config.onOccurrence != nil
	if watched || r.notes != NotesFirst {
		r.formatNote(o)
	}
	if err = r.admit(o, err); err != nil {
		r.invalid(o, &key, err)
		return
	}
	in.Annotations = o.annotations
	switch {
	case r.notes == NotesLatest:
		in.LatestNote = o.note
	case r.notes != NotesFirst:
		key.Note = o.note
	}
	if err := r.fold(o, &key, &in); err != nil {
		r.invalid(o, &key, err)
		return
	}
	if watched {
		r.publish(o, &key, in.At, watchers)
	}
}

// fold puts an occurrence into its series.
func (r *Recorder) fold(o *occurrence, key *series.Key, in *series.Occurrence) error {
	if r.b.sink == nil {
		_, err := r.head(o, key, in.At)
		if err == nil {
			r.drop(o, key, r.b.cache.Refuse(stats.Filtered), nil)
		}
		return err
	}
	result := r.b.cache.Observe(key, in)
	if result.Missing {
		return r.open(o, key, in)
	}
	r.conclude(o, key, result)
	return nil
}

// identify builds the key: who is concerned, and what happened.
func (r *Recorder) identify(o *occurrence, key *series.Key) (err error) {
	o.repairNames()
	key.Type, key.Reason, key.Action = o.kind, o.reason, o.action
	key.ReportingController, key.ReportingInstance = r.controller, r.instance
	if o.of, err = r.refs.refer(o.regarding, &key.Regarding); err != nil {
		return fmt.Errorf("cannot refer to the regarding object: %w", err)
	}
	if o.kind != corev1.EventTypeNormal && o.kind != corev1.EventTypeWarning {
		return fmt.Errorf("unsupported event type %q, want Normal or Warning", o.kind)
	}
	if o.related != nil {
		if o.with, err = r.refs.refer(o.related, &key.Related); err != nil {
			key.Related, o.with, o.related = series.Object{}, versions{}, nil
			o.repaired.add(RepairRelated)
		}
	}
	if len(o.annotations) > 0 {
		o.annotations = repairAnnotations(o.annotations, &o.repaired)
	}
	return nil
}

// admit counts what had to be repaired; under WithStrict it refuses it.
func (r *Recorder) admit(o *occurrence, err error) error {
	repaired := o.repaired | r.refused
	if err != nil || repaired == 0 {
		return err
	}
	if r.b.config.strict {
		return fmt.Errorf("it needs repair, which WithStrict forbids: %v", repaired.kinds())
	}
	r.note(repaired)
	o.repaired = 0
	return nil
}

// formatNote turns the note and its args into what goes on the wire.
func (r *Recorder) formatNote(o *occurrence) {
	if !o.verbatim {
		o.note = format(o.note, o.args)
	}
	o.note, o.formatted = repairText(o.note, maxNote, RepairNote, &o.repaired), true
}

// open begins a series.
func (r *Recorder) open(o *occurrence, key *series.Key, in *series.Occurrence) error {
	if !o.formatted {
		r.formatNote(o)
	}
	head, err := r.head(o, key, in.At)
	if err = r.admit(o, err); err != nil {
		return err
	}
	if key.Regarding.UID == "" {
		r.logNoUID(key)
	}
	result, given := r.b.cache.Insert(key, &head, in)
	r.b.reportGiven(given, nil)
	r.conclude(o, key, result)
	return nil
}

// head says what only the first occurrence puts on the wire.
func (r *Recorder) head(o *occurrence, key *series.Key, now time.Time) (series.Head, error) {
	h := series.Head{
		Namespace: key.Regarding.Namespace, EventTime: now, Note: o.note,
		RegardingVersion: o.of.api, RegardingResourceVersion: o.of.resource,
		RelatedVersion: o.with.api, RelatedResourceVersion: o.with.resource, HasRelated: o.related != nil,
	}
	if h.Namespace == "" {
		h.Namespace = r.b.config.clusterScopedNS
	}
	if err := checkNamespace(h.Namespace); err != nil {
		return h, err
	}
	h.Name = series.NewName(key.Regarding.Name, now)
	return h, nil
}

// conclude hands a series to the writer that needs it, and tells of drops.
func (r *Recorder) conclude(o *occurrence, key *series.Key, result series.Result) {
	if result.Enqueue != 0 {
		r.b.writer.Enqueue(result.Series, result.Series.Namespace(), result.Enqueue)
	}
	if result.LeftOut {
		o.repaired.add(RepairAnnotations) // what else it needed was noted by admit
		r.note(o.repaired)
	}
	if result.Dropped == stats.None {
		return
	}
	r.drop(o, key, result.Dropped, nil)
	if result.Dropped == stats.CacheFull {
		r.b.log.Do("CacheFull", "", time.Minute, func() {
			r.logger.Error(nil, "Event dropped: the cache of series is full; raise WithMaxSeries, "+
				"or look for what makes so many different events",
				"maxSeries", r.b.config.maxSeries, "reason", key.Reason)
		})
	}
}

// invalid refuses an occurrence, with one line per reason and minute. It reports
// the reason as it was passed to Eventf, also when that was empty.
func (r *Recorder) invalid(o *occurrence, key *series.Key, err error) {
	if o.repaired.has(RepairReason) {
		key.Reason = ""
	}
	reason := r.b.cache.Refuse(stats.Invalid)
	r.drop(o, key, reason, err)
	if reason != stats.Invalid {
		return
	}
	r.b.log.Do("Invalid", key.Reason, time.Minute, func() {
		r.logger.Error(err, "Event dropped: it cannot be recorded as it was passed to Eventf",
			"controller", r.controller, "type", o.kind, "reason", key.Reason, "object", fmt.Sprintf("%T", o.regarding))
	})
}

func (r *Recorder) drop(o *occurrence, key *series.Key, reason stats.Reason, err error) {
	if reason == stats.Stopped {
		r.b.log.Late(r.logger, key.Reason)
	}
	if r.b.config.onDrop == nil {
		return
	}
	r.b.notifyDrop(Drop{
		Reason: DropReason(reason.String()), Type: o.kind, EventReason: key.Reason, Occurrences: 1, Err: err,
		Regarding: key.Regarding.Reference(),
	})
}

// publish hands the occurrence to who watches, as an Event of its own.
func (r *Recorder) publish(o *occurrence, key *series.Key, now time.Time, watchers []*watcher) {
	head, err := r.head(o, key, now)
	if err != nil {
		return // refused above
	}
	if watchers != nil {
		r.b.watchers.Publish(watchers, series.NewSingle(key, &head, o.annotations))
	}
	if handle := r.b.config.onOccurrence; handle != nil {
		r.b.log.Call("occurrence handler", func() { handle(series.NewSingle(key, &head, o.annotations).Event()) })
	}
}
