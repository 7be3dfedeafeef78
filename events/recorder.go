// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Recorder records Events for one reporting controller. [Broadcaster.Recorder] returns one.
//
// The methods of a Recorder never block on I/O, start no goroutine, and are safe for concurrent
// use. They copy what they need from their arguments, so the caller may modify the arguments
// afterwards.
//
// If the API server would refuse an Event, for example because it has no action, the Recorder
// changes the Event so that it is accepted (see [Repair]). If a call cannot be turned into a valid
// Event, the occurrence is logged and counted in Dropped[DropInvalid].
type Recorder struct {
	b    *Broadcaster
	refs *referrer
	// controller and instance are the reporting controller and the reporting instance after
	// repairs.
	controller, instance string
	// component is the name of the controller as it was passed to Broadcaster.Recorder, without
	// repairs.
	component string
	notes     engine.NotePolicy
	logger    klog.Logger
	// loggedRepairs is the repairSet of the kinds of repair that have been logged. All copies of a
	// recorder share it.
	loggedRepairs *atomic.Uint32
	// strictRepairs is the set of repairs that the controller, the instance and the labels need. It
	// is filled in only with the option eventstest.Strict; without this option it is always empty.
	// If it is not empty, the recorder refuses every call.
	strictRepairs repairSet
	// annotations are the annotations that WithContext has added. The map is never changed.
	annotations map[string]string
	// labels are the labels of each Event, in the encoding of package eventlabels.
	labels string
}

var (
	_ clientevents.EventRecorderLogger = (*Recorder)(nil)
	_ AnnotatedEventRecorder           = (*Recorder)(nil)
)

// Recorder returns a recorder that reports as reportingController. The API server requires a
// qualified name, such as "example.com/my-controller". Any other name is repaired, see
// [RepairController].
//
// Most objects that typed clients and informers return do not contain their kind. The recorder
// looks up the kind of such an object in scheme. If scheme is nil, it uses the scheme set with
// [WithScheme]. If that scheme is missing as well, calls about such objects are invalid.
//
// Recorders are cheap. All recorders of a broadcaster share its series.
func (b *Broadcaster) Recorder(scheme *runtime.Scheme, reportingController string) *Recorder {
	config := b.engine.Config()
	r := &Recorder{
		b:             b,
		refs:          &referrer{scheme: cmp.Or(scheme, config.Scheme)},
		notes:         config.Notes[""],
		logger:        *config.Logger,
		labels:        config.Labels,
		loggedRepairs: &atomic.Uint32{},
		component:     strings.Clone(reportingController),
	}
	instance := config.ReportingInstance
	r.controller = r.component
	if b.engine.KeepsSeries() {
		var repaired repairSet
		r.controller = repairController(r.component, &repaired)
		r.accept(repaired)
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		instance = cmp.Or(instance, r.controller+"-"+host)
	}
	return r.WithReportingInstance(instance)
}

// accept counts repairs of the controller, the instance or the labels. With the option
// eventstest.Strict, it does not count them, but stores them in strictRepairs, so that every call
// of the recorder is refused.
func (r *Recorder) accept(repaired repairSet) {
	if r.b.engine.Config().Strict {
		r.strictRepairs |= repaired
	} else {
		r.countRepairs(repaired)
	}
}

// Eventf records one occurrence. regarding is the object that the occurrence is about, reason says
// what happened, and action says what the controller did. related is a second object involved, or
// nil. eventtype is Normal or Warning.
//
// note and args are formatted as by fmt.Sprintf. Without args the note is recorded unchanged, so it
// may be the text of an error. There is one exception, for compatibility with client-go: if the
// note contains "%" only as "%%", each "%%" becomes "%".
func (r *Recorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	c := call{args: args}
	c.set(regarding, related, eventtype, reason, action, note)
	r.record(&c)
}

// AnnotatedEventf is like Eventf, and also adds annotations to the Event. In a series, the
// annotations of each later occurrence are merged into those of the Event: new keys are added, the
// values of existing keys are replaced, and no key is deleted.
func (r *Recorder) AnnotatedEventf(
	regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	c := call{args: args}
	c.Annotations = annotations
	c.set(regarding, related, eventtype, reason, action, note)
	r.record(&c)
}

// Event is like Eventf, but records the note verbatim, without formatting it.
func (r *Recorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	c := call{verbatim: true}
	c.set(regarding, related, eventtype, reason, action, note)
	r.record(&c)
}

// WithLogger returns a copy of r that logs the repairs and drops of its own calls to logger. Failed
// writes are still logged to the broadcaster's logger, because one series may count the occurrences
// of several recorders. The copy shares everything else with r.
func (r *Recorder) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	other := *r
	other.logger = usercode.Logger(logger)
	return &other
}

// WithNotePolicy returns a copy of r that uses policy for occurrences that differ only in their
// notes. A policy that the option [WithNotePolicy] sets for a reason takes precedence for that
// reason. If policy is invalid, the copy keeps the policy of r.
func (r *Recorder) WithNotePolicy(policy NotePolicy) *Recorder {
	other := *r
	if policy.policy.Valid() {
		other.notes = policy.policy
	}
	return &other
}

// WithContext returns a copy of r that adds annotations to each Event. It calls the function set
// with [WithContextAnnotations] to derive the annotations from ctx, and does not retain ctx.
// Without that option, WithContext returns r.
//
// These annotations replace those of an earlier WithContext. If AnnotatedEventf sets the same
// annotation, the value passed to AnnotatedEventf wins. In a series, the value of the newest
// occurrence wins. The copy shares everything else with r.
func (r *Recorder) WithContext(ctx context.Context) *Recorder {
	annotate := r.b.engine.Config().Annotate
	if annotate == nil {
		return r
	}
	other := *r
	other.annotations = nil
	r.b.engine.Log().Call("context annotations", func() { other.annotations = maps.Clone(annotate(ctx)) })
	return &other
}

// WithLabels returns a copy of r that adds labels to its Events, in addition to the labels that r
// adds. If r and labels have the same key, the value in labels wins. If the occurrences of a series
// have different labels, the Event gets the labels of the first occurrence. WithLabels omits a
// label that the API server would refuse; it logs the omission and counts it as [RepairLabels]. The
// copy shares everything else with r.
func (r *Recorder) WithLabels(labels map[string]string) *Recorder {
	other := *r
	var err error
	other.labels, err = eventlabels.Add(r.labels, labels)
	if err != nil {
		var repaired repairSet
		repaired.add(RepairLabels)
		other.accept(repaired)
	}
	return &other
}

// WithReportingInstance returns a copy of r that uses instance as its reporting instance, which
// core/v1 shows as source.host. An instance that the API server would refuse is repaired; see
// [RepairInstance]. If instance is empty, the copy keeps the instance of r. The copy shares
// everything else with r.
func (r *Recorder) WithReportingInstance(instance string) *Recorder {
	other := *r
	switch {
	case instance == "":
	case !r.b.engine.KeepsSeries():
		other.instance = strings.Clone(instance)
	default:
		var repaired repairSet
		other.instance = repairInstance(instance, &repaired)
		other.accept(repaired)
	}
	return &other
}

// record counts one call in its series and passes it to the watchers. It holds no lock while it
// runs user code: the accessors of the objects, the String methods of the args, and handlers.
func (r *Recorder) record(c *call) {
	config := r.b.engine.Config()
	if config.BeforeRecord != nil {
		config.BeforeRecord()
	}
	c.At = config.Clock.Now()
	if err := r.resolve(c); err != nil {
		r.invalid(c, err)
		return
	}
	// Get the watchers before the occurrence is counted. If the broadcaster ends in between, each
	// watcher counts the occurrence as dropped. In the other order, the watchers would miss the
	// occurrence and no counter would show it.
	watchers := r.b.engine.Watchers()
	result := r.observe(c)
	r.b.engine.Accept(r.logger, &c.Occurrence, &result)
	if result.LeftOut {
		c.repaired.add(RepairAnnotations)
	}
	r.countRepairs(c.repaired)
	if result.Overflowed {
		r.logOverflowed(c)
	}
	if broadcast.Wanted(watchers, result.Count) || config.OnOccurrence != nil {
		r.notify(c, &result, watchers)
	}
}

// resolve fills in the key of the series: it resolves the references to the objects and repairs the
// texts. It also sets the namespace of the Event. It formats the note only if the note of every
// occurrence is needed. It returns an error if the call cannot be turned into an Event.
func (r *Recorder) resolve(c *call) error {
	c.ReportingController = r.controller
	c.ReportingInstance = r.instance
	c.Labels = r.labels
	c.correlated = r.b.engine.Correlates()
	if c.correlated {
		c.ReportingController = r.component
	} else {
		c.fillNames()
	}
	err := r.refs.refer(c.regarding, &c.Regarding)
	// client-go's correlator takes any object.
	if err == nil && !c.correlated {
		err = checkIdentity(&c.Regarding)
	}
	if err != nil {
		return fmt.Errorf("cannot refer to the regarding object: %w", err)
	}
	c.Namespace = c.Regarding.Namespace
	if c.Namespace == "" {
		// client-go does the same. The server would accept the namespace kube-system, too.
		c.Namespace = metav1.NamespaceDefault
	}
	if c.Type != corev1.EventTypeNormal && c.Type != corev1.EventTypeWarning {
		return fmt.Errorf("unsupported event type %q, want Normal or Warning", c.Type)
	}
	c.repairNames()
	if !series.PlainLabel(c.Namespace) {
		return fmt.Errorf("the regarding object's namespace %q is not a DNS label", c.Namespace)
	}
	if c.related != nil {
		err := r.refs.refer(c.related, &c.Related)
		if err == nil {
			err = checkIdentity(&c.Related)
		}
		if err != nil {
			c.Related = series.Reference{}
			c.repaired.add(RepairRelated)
		} else {
			c.HasRelated = true
		}
	}
	if len(r.annotations) > 0 {
		c.addAnnotations(r.annotations)
	}
	if annotate := r.b.engine.Config().AnnotateObject; annotate != nil {
		r.annotateByObject(c, annotate)
	}
	if len(c.Annotations) > 0 {
		annotations, repaired := eventlabels.RepairAnnotations(c.Annotations)
		c.Annotations = annotations
		if repaired {
			c.repaired.add(RepairAnnotations)
		}
	}
	r.applyNotes(c)
	if repaired := c.repaired | r.strictRepairs; r.b.engine.Config().Strict && repaired != 0 {
		return fmt.Errorf("it needs repairs, which eventstest.Strict forbids: %v", repaired.kinds())
	}
	return nil
}

// annotateByObject adds the annotations that annotate derives from the regarding object.
func (r *Recorder) annotateByObject(c *call, annotate func(runtime.Object) map[string]string) {
	var annotations map[string]string
	regarding := c.regarding
	r.b.engine.Log().Call("object annotations", func() { annotations = maps.Clone(annotate(regarding)) })
	if len(annotations) > 0 {
		c.addAnnotations(annotations)
	}
}

// applyNotes sets the note policy of the call: the policy of its reason if there is one, otherwise
// the policy of the recorder.
func (r *Recorder) applyNotes(c *call) {
	notes := r.notes
	if policy, ok := r.b.engine.Config().Notes[c.Reason]; ok {
		notes = policy
	}
	c.DistinctNotes = notes.Distinct()
	c.LatestNote = notes.Latest()
	if !notes.First() || r.b.engine.Config().Strict {
		c.formatNote()
	}
}

// observe counts the call in its series. If the call has no series yet, observe completes the call
// without holding a lock, and starts a series with the call as its first occurrence.
func (r *Recorder) observe(c *call) series.Result {
	if c.correlated {
		r.complete(c)
		return r.b.engine.Correlate(&c.Occurrence)
	}
	var buf series.KeyBuffer
	key := c.PackKey(buf[:0])
	result, found := r.b.engine.Count(&c.Occurrence, key)
	if !found {
		r.complete(c)
		result = r.b.engine.Insert(&c.Occurrence, key)
	}
	return result
}

// complete adds what only the first occurrence of a series needs: the formatted note and a name for
// the Event.
func (r *Recorder) complete(c *call) {
	c.formatNote()
	c.Name = series.NewName(c.At)
	if c.Regarding.UID == "" || c.Regarding.Kind == "" {
		r.logNoUID(c)
	}
}

// invalid drops a call that cannot be turned into an Event, and logs at most one line a minute for
// each reason. The drop is reported with the reason that was passed to Eventf, even if this reason
// is empty.
func (r *Recorder) invalid(c *call, err error) {
	// The drop is counted under its reason, so the reason must have a limited length.
	c.repairNames()
	if c.repaired.has(RepairReason) {
		c.Reason = ""
	}
	if r.b.engine.Invalid(r.logger, &c.Occurrence, err) != stats.Invalid {
		// The broadcaster has ended, so the engine has counted and logged the drop as Stopped.
		return
	}
	r.b.engine.Log().Do("Invalid", c.Reason, timing.LogEvery, func() {
		r.logger.Error(err, "Event dropped: the arguments are invalid; fix the call", "advice", "invalid",
			"controller", r.controller, "type", c.Type, "reason", c.Reason, "object", fmt.Sprintf("%T", c.regarding))
	})
}

// notify passes the occurrence to the watchers as an Event. The Event has the name under which its
// series is stored. If the occurrence was dropped without a series, the Event gets a new name.
func (r *Recorder) notify(c *call, result *series.Result, watchers []*engine.Watcher) {
	c.formatNote()
	if s := result.Series; s != nil {
		namespace, name := s.EventName()
		c.Namespace = namespace
		c.Name = series.FixedName(name)
	} else if c.Name == (series.Name{}) {
		c.Name = series.NewName(c.At)
	}
	single := series.NewSingle(&c.Occurrence)
	r.b.engine.Publish(watchers, single, result.Count)
	if handle := r.b.engine.Config().OnOccurrence; handle != nil {
		r.b.engine.Log().Call("occurrence handler", func() { handle(single.Event()) })
	}
}

// AnnotatedEventf records an occurrence with annotations through any [EventRecorder], although the
// interface EventRecorder has no method for annotations. If recorder is an
// [AnnotatedEventRecorder], its AnnotatedEventf method is called. The recorders of this SDK and of
// client-go v0.37 and later have this method. Otherwise the occurrence is recorded without
// annotations.
//
// Code that migrates from the old API can thus keep its annotated calls. In the old API, every
// recorder has the method.
func AnnotatedEventf(
	recorder EventRecorder, regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	if r, ok := recorder.(AnnotatedEventRecorder); ok {
		r.AnnotatedEventf(regarding, related, annotations, eventtype, reason, action, note, args...)
		return
	}
	recorder.Eventf(regarding, related, eventtype, reason, action, note, args...)
}
