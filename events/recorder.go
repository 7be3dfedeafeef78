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

// Recorder records Events as one reporting controller. Its methods copy what
// they need before they return, never block on I/O, start no goroutine and are
// safe for concurrent use. An event that the API server would refuse is
// repaired, or counted and logged when it cannot be. Get one from
// [Broadcaster.Recorder].
type Recorder struct {
	b                    *Broadcaster
	refs                 *referrer
	controller, instance string
	component            string // the controller as it was given
	notes                engine.NotePolicy
	logger               klog.Logger
	loggedRepairs        *atomic.Uint32    // a repairSet
	strictRepairs        repairSet         // what a strict recorder refuses of the controller and instance
	annotations          map[string]string // of WithContext; never changed
	labels               string            // as package eventlabels has them
}

var (
	_ clientevents.EventRecorderLogger = (*Recorder)(nil)
	_ AnnotatedEventRecorder           = (*Recorder)(nil)
)

// Recorder returns a recorder that reports as reportingController. The API server
// requires a qualified name, such as "example.com/my-controller"; any other name is
// repaired. The scheme is asked for the kind of objects that do not know their own. If it is
// nil, that of [WithScheme] is asked, if there is one. Recorders cost little and share the broadcaster's series.
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

// accept counts the repairs of the controller or instance. A strict recorder refuses every call
// because of them.
func (r *Recorder) accept(repaired repairSet) {
	if r.b.engine.Config().Strict {
		r.strictRepairs |= repaired
	} else {
		r.countRepairs(repaired)
	}
}

// Eventf records that reason happened to regarding, while the controller did
// action, in connection with related (which may be nil). eventtype is Normal or
// Warning. note is formatted with args. Without args it is taken as it is, but
// for %% in a note without any verb, which stands for %.
func (r *Recorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	c := call{args: args}
	c.set(regarding, related, eventtype, reason, action, note)
	r.record(&c)
}

// AnnotatedEventf is Eventf with annotations for the Event. Those of later
// occurrences are merged into the series; keys are never deleted.
func (r *Recorder) AnnotatedEventf(
	regarding, related runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	c := call{args: args}
	c.Annotations = annotations
	c.set(regarding, related, eventtype, reason, action, note)
	r.record(&c)
}

// Event is Eventf for a note that is no format: it is recorded verbatim.
func (r *Recorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
	c := call{verbatim: true}
	c.set(regarding, related, eventtype, reason, action, note)
	r.record(&c)
}

// WithLogger returns a copy of r that logs repairs and drops of its events to logger.
// It shares everything else with this one.
func (r *Recorder) WithLogger(logger klog.Logger) clientevents.EventRecorderLogger {
	other := *r
	other.logger = usercode.Logger(logger)
	return &other
}

// WithNotePolicy returns a recorder with its own policy for differing notes. An
// invalid policy changes nothing.
func (r *Recorder) WithNotePolicy(policy NotePolicy) *Recorder {
	other := *r
	if policy.policy.Valid() {
		other.notes = policy.policy
	}
	return &other
}

// WithContext returns a recorder that adds what [WithContextAnnotations] makes of ctx to
// the annotations of each Event. An annotation that AnnotatedEventf sets itself wins. In
// a series the newest occurrence's wins. The result shares everything else with this
// recorder. It does not keep ctx, and replaces what an earlier WithContext has set.
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

// WithLabels returns a recorder that adds labels to those of its Events, and shares
// everything else with this one. Of one key the newest wins; see the option [WithLabels].
// What the API server would refuse is left out, logged, and counted as [RepairLabels].
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

// WithReportingInstance returns a recorder that reports as instance, which is what
// core/v1 has in source.host. It shares everything else with this one. An empty
// instance changes nothing.
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

// record takes one call to its series. Code of the caller (the objects' accessors,
// the args' Stringers, handlers) runs without any lock.
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
	watchers := r.b.engine.Watchers() // before the occurrence counts
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

// resolve completes the key, with texts that the API server accepts, and sets the namespace
// of the Event. The note is formatted only if it matters for every occurrence.
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
	if err == nil && !c.correlated { // client-go's correlator takes any object
		err = identified(&c.Regarding)
	}
	if err != nil {
		return fmt.Errorf("cannot refer to the regarding object: %w", err)
	}
	c.Namespace = c.Regarding.Namespace
	if c.Namespace == "" {
		c.Namespace = metav1.NamespaceDefault // as client-go does; the server accepts kube-system, too
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
			err = identified(&c.Related)
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

// applyNotes applies the policy for the notes of the reason.
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

// observe adds the occurrence to its series. What only the first one of a series needs is
// made without a lock.
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

// complete adds what the first occurrence of a series needs.
func (r *Recorder) complete(c *call) {
	c.formatNote()
	c.Name = series.NewName(c.At)
	if c.Regarding.UID == "" {
		r.logNoUID(c)
	}
}

// invalid drops a call of which no Event can be made, and logs one line per reason
// and minute. It reports the reason as it was passed to Eventf, also if it was empty.
func (r *Recorder) invalid(c *call, err error) {
	c.repairNames() // it is counted by its reason
	if c.repaired.has(RepairReason) {
		c.Reason = ""
	}
	if r.b.engine.Invalid(r.logger, &c.Occurrence, err) != stats.Invalid {
		return
	}
	r.b.engine.Log().Do("Invalid", c.Reason, timing.LogEvery, func() {
		r.logger.Error(err, "Event dropped: the arguments are invalid; fix the call", "advice", "invalid",
			"controller", r.controller, "type", c.Type, "reason", c.Reason, "object", fmt.Sprintf("%T", c.regarding))
	})
}

// notify hands the occurrence to the watchers as an Event with the name that its
// series has on the server. An occurrence without a series has its own name.
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

// AnnotatedEventf records through recorder, with annotations if it takes them:
// those of this SDK do, those of client-go and its FakeRecorder from v0.37 on.
// Any other records the same without them. It lets code that holds an
// [EventRecorder], which has no such method, keep the annotated calls of the old
// API.
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
