// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
)

// Option changes a default of a [Broadcaster]. The zero value of a duration or
// number stands for the default. Start reports all invalid values at once.
// Durations are cut to ten years. Packages adapter and legacy have the same type, so that
// their broadcasters take these options, too; here options of theirs change nothing.
type Option = options.Option

var set = options.Named[config]

type config struct {
	ctx             context.Context // of StartRecordingToSink
	clock           clock.WithTicker
	logger          *klog.Logger
	engine          options.Engine
	given           options.Given
	maxInFlight     int
	maxSeries       int
	intervals       series.Intervals
	notes           map[string]NotePolicy // by reason; that of "" is for all others
	notContinued    []string              // options that WithContinuity has no effect on
	objectLimit     int
	writeTimeout    time.Duration
	drainTimeout    time.Duration
	instance        string
	clusterScopedNS string
	strict          bool
	logDoublings    bool
	continuity      bool
	onDrop          func(Drop)
	onOccurrence    func(*eventsv1.Event)
	annotate        func(context.Context) map[string]string
	labels          string // as package eventlabels has them
	labelsErr       error
}

// longest bounds durations that stand for "for ever", so that times can be added.
const longest = 10 * 365 * 24 * time.Hour

// WithClock sets the clock for the time in events and for every interval but
// the per-attempt deadline and the drain timeout, which are real time. It must not
// go back. The default is the real clock, whose times keep their order when it is set.
func WithClock(clk clock.WithTicker) Option {
	return options.For(func(c *options.Common) { c.Clock = clk })
}

// WithLogger sets the logger of the broadcaster itself. The default is klog.Background(),
// or the logger of the context that the broadcaster is made with.
func WithLogger(logger klog.Logger) Option {
	return options.For(func(c *options.Common) { c.Logger = &logger })
}

// WithMaxInFlight sets the highest number of writes that may be under way at a time, 64 by
// default. The broadcaster begins with 4. It allows more while there is a backlog and the
// server answers as fast as before, and half as many when the server refuses writes. A single
// namespace may have half of them. Writes that take more than a second, and those of
// namespaces that fail, do not count: up to 64 of them run beside the others.
func WithMaxInFlight(n int) Option {
	return set(func(c *config) { c.maxInFlight = n }, "WithMaxInFlight", n)
}

// WithMaxSeries bounds the series kept in memory, 65536 by default: room for a
// series about each of ten thousand pods several times over, within the finish
// interval. Of annotations and labels a series has 4 KiB each at most. client-go's own
// cache has no bound.
func WithMaxSeries(n int) Option { return set(func(c *config) { c.maxSeries = n }, "WithMaxSeries", n) }

// WithFinishInterval sets how long a series must be quiet before its final
// count is written and it is forgotten: 6 minutes by default, "longer than the
// longest backoff period" of the components (KEP-383).
func WithFinishInterval(d time.Duration) Option {
	return set(func(c *config) { c.intervals.Finish = d }, "WithFinishInterval", d)
}

// WithRefreshInterval sets the longest time that counts stay unwritten while
// occurrences go on: 30 minutes by default (KEP-383). Each write renews the
// server's TTL, so it should be shorter than kube-apiserver's --event-ttl (1 h). If an
// Event expires all the same, it is created again with its count. Once three Events in two
// namespaces have expired, the interval becomes half of the time that they lived, but not
// less than a minute. A few series keep the whole interval, and so find out when Events live
// longer again.
func WithRefreshInterval(d time.Duration) Option {
	return set(func(c *config) { c.intervals.Refresh = d }, "WithRefreshInterval", d)
}

// WithNotes sets what happens to differing notes; the default is [NotesFirst].
func WithNotes(policy NotePolicy) Option {
	return set(func(c *config) { c.notes[""] = policy }, "WithNotes", policy)
}

// WithNotesFor sets what happens to differing notes of one reason. For that reason it wins
// over WithNotes of the broadcaster and of a recorder. It may be given for several reasons.
// By default no reason has a policy of its own.
func WithNotesFor(reason string, policy NotePolicy) Option {
	return set(func(c *config) { c.notes[reason] = policy }, "WithNotesFor", reason, policy)
}

// WithRetryFor sets how long after the last occurrence an unwritten series is
// retried: one hour by default, when the server would have expired it anyway. It
// must not be below the finish interval, and follows a longer one by default.
func WithRetryFor(d time.Duration) Option {
	return set(func(c *config) { c.intervals.RetryFor = d }, "WithRetryFor", d)
}

// WithWriteTimeout sets the deadline of one attempt, in real time: 30 seconds by
// default, below the API server's own 60.
func WithWriteTimeout(d time.Duration) Option {
	return set(func(c *config) { c.writeTimeout = d }, "WithWriteTimeout", d)
}

// WithDrainTimeout bounds Shutdown, and the time between the end of Start's context
// and the broadcaster's own shutdown, if neither Drain nor Shutdown is called: 5
// seconds of real time by default, well within the 30 seconds that a pod has to
// terminate.
func WithDrainTimeout(d time.Duration) Option {
	return set(func(c *config) { c.drainTimeout = d }, "WithDrainTimeout", d)
}

// WithReportingInstance sets the reporting instance of every recorder. The
// default is <reporting controller>-<hostname>, as in client-go.
func WithReportingInstance(instance string) Option {
	return set(func(c *config) { c.instance = instance }, "WithReportingInstance", instance)
}

// WithClusterScopedNamespace sets where Events about cluster-scoped objects go:
// "default", as in client-go, or "kube-system", as KEP-383 says. The API server's
// validation accepts no other namespace for them.
func WithClusterScopedNamespace(namespace string) Option {
	return set(func(c *config) { c.clusterScopedNS = namespace }, "WithClusterScopedNamespace", namespace)
}

// WithContinuity makes series survive the process. By default each process begins Events of
// its own, and another Event when a series begins again. With this option the name of an Event
// follows from what is recorded, not from the time. A series whose Event is already on the
// server counts on in that Event, for as long as the server keeps it: an hour after its last
// write by default. So a component that restarts in a loop, or has replicas that record the
// same, has one Event with the sum.
//
// The name of an Event is that of its object, 128 bits of SHA-256 over reporting
// controller, type, reason, action, regarding and related, and a number, which is 0 unless
// the lower ones are taken. In the annotation eventseries.dev/counts, a JSON
// list, each process has its reporting instance and its share of the count; the Event's own
// reportingInstance and note stay those of its first occurrence (both are immutable, API
// validation of events). What a process had not written when it was killed is lost, as ever. At
// most 32 processes share an Event. An Event of that name which is not of the same series, or
// whose annotation says what cannot have been counted, is never written. No other permission
// than create and patch is needed.
//
// Reasons whose notes have series of their own (NotesDistinct) are not continued, which
// Start logs. The sink must return what is stored, with its resourceVersion, as those of
// package sinks do.
func WithContinuity() Option { return set(func(c *config) { c.continuity = true }, "WithContinuity") }

// WithStrict drops events that would otherwise be repaired, as Dropped[Invalid]. That
// includes every event of a recorder whose name or instance needs repair, and repeats,
// whose notes are formatted for that. It is meant for tests. The default is to repair,
// count and log once. The Recorder of package eventstest fails its test, too.
func WithStrict() Option {
	return options.Named(func(c *options.Common) { c.Strict = true }, "WithStrict")
}

// WithLogDoublings makes StartLogging log the 1st, 2nd, 4th, 8th, … occurrence of a
// series, with its count, instead of every one: a hot loop of a million is 20 lines, and
// the others cost what they cost without a log. It does not depend on the API server, so
// what cannot be written is in the log all the same. What has no series, because it is
// muted or dropped, is logged each time. By default every occurrence is logged, as
// client-go does. StartEventWatcher and package legacy, whose occurrences have no series,
// are not affected.
func WithLogDoublings() Option {
	return set(func(c *config) { c.logDoublings = true }, "WithLogDoublings")
}

// WithDropHandler sets a function that is called for every drop, without locks, by the
// goroutine that recorded or wrote, possibly by several at a time. It must not block,
// and not call Flush, Drain or Shutdown. A panic is logged. An event that it records
// may be dropped, too, and calls it again, so it must stop at some point. By default
// drops are counted, and logged if there is a remedy.
func WithDropHandler(handler func(Drop)) Option {
	return set(func(c *config) { c.onDrop = handler }, "WithDropHandler")
}

// WithOccurrenceHandler sets a function that is called for every occurrence, as a
// handler of StartEventWatcher is, but by the goroutine that records and before Eventf
// returns: for counting by reason, and for tests. It is called for all occurrences but
// those dropped as Invalid. The event has the name that its series has on the server,
// and is the handler's to keep. The handler is called without locks, possibly by
// several goroutines at a time. It must not block. A panic is logged. Every occurrence
// is formatted for it. The default is none, and repeats are not formatted then.
func WithOccurrenceHandler(handler func(event *eventsv1.Event)) Option {
	return set(func(c *config) { c.onOccurrence = handler }, "WithOccurrenceHandler")
}

// WithContextAnnotations sets a function that [Recorder.WithContext] calls to turn a
// context into annotations, such as the trace that the context is part of. A panic is
// logged, and there are no annotations then. The default is none, and
// Recorder.WithContext does nothing.
func WithContextAnnotations(annotate func(ctx context.Context) map[string]string) Option {
	return set(func(c *config) { c.annotate = annotate }, "WithContextAnnotations")
}

// WithLabels adds labels to the metadata of every Event, for kubectl get events -l and
// for consumers that select. Several add up, and [Recorder.WithLabels] adds more. Labels
// are no part of a series: it keeps those of its first occurrence. Together they may have
// 4096 bytes. By default there are none.
func WithLabels(labels map[string]string) Option {
	return set(func(c *config) {
		text, err := eventlabels.Add(c.labels, labels)
		if c.labels = text; err != nil {
			c.labelsErr = errors.Join(c.labelsErr, fmt.Errorf("events: WithLabels: %w", err))
		}
	}, "WithLabels", labels)
}

// newConfig applies options to the defaults. Invalid values are replaced by the
// default and listed in err.
func newConfig(opts []Option) (c config, err error) {
	common := options.NewCommon(context.Background(), opts)
	c.notes = map[string]NotePolicy{}
	// How soon a count that has doubled is written, so that kubectl describe moves while a million
	// repeats cost about twenty writes, and how many of these writes there may be. A single hot
	// series needs one for each doubling: the burst is for several of them. The rest is what the
	// series of a whole component may take of a client's 50 requests a second in the long run.
	c.engine.PublishAfter, c.engine.PublishBurst, c.engine.PublishEvery = 10*time.Second, 50, time.Second
	c.ctx, c.clock, c.logger, c.strict = common.Context, common.Clock, common.Logger, common.Strict
	options.Apply(opts, &c, &c.engine, &c.given)
	c.clusterScopedNS = cmp.Or(c.clusterScopedNS, metav1.NamespaceDefault)
	var check problems
	count(&check, "WithMaxInFlight", &c.maxInFlight, 64, math.MaxInt)
	count(&check, "WithMaxSeries", &c.maxSeries, 65536, math.MaxInt)
	count(&check, "WithObjectLimit", &c.objectLimit, 100, math.MaxUint16)
	count(&check, "WithFinishInterval", &c.intervals.Finish, 6*time.Minute, longest)
	count(&check, "WithRefreshInterval", &c.intervals.Refresh, 30*time.Minute, longest)
	count(&check, "WithRetryFor", &c.intervals.RetryFor, max(time.Hour, c.intervals.Finish), longest)
	count(&check, "WithWriteTimeout", &c.writeTimeout, 30*time.Second, longest)
	count(&check, "WithDrainTimeout", &c.drainTimeout, 5*time.Second, longest)
	c.intervals.Publish = c.engine.PublishAfter
	if c.intervals.RetryFor < c.intervals.Finish {
		check.add("WithRetryFor(%v), want at least the finish interval of %v", c.intervals.RetryFor, c.intervals.Finish)
	}
	for _, reason := range slices.Sorted(maps.Keys(c.notes)) {
		policy := c.notes[reason]
		option := fmt.Sprintf("WithNotesFor(%q, %v)", reason, policy)
		if reason == "" {
			option = fmt.Sprintf("WithNotes(%v)", policy)
		}
		switch {
		case !policy.valid():
			check.add("%s, want NotesFirst, NotesLatest or NotesDistinct of at least 1", option)
			delete(c.notes, reason)
		case c.continuity && policy.distinct() > 0:
			c.notContinued = append(c.notContinued, option)
		}
	}
	if c.clusterScopedNS != metav1.NamespaceDefault && c.clusterScopedNS != metav1.NamespaceSystem {
		check.add("WithClusterScopedNamespace(%q), want \"default\" or \"kube-system\": "+
			"the API server takes no other for cluster-scoped objects", c.clusterScopedNS)
		c.clusterScopedNS = metav1.NamespaceDefault
	}
	return c, errors.Join(append(check, c.labelsErr, c.engine.Err)...)
}

type problems []error

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Errorf("events: "+format, args...))
}

// count fills in a default for zero, cuts what is more than most, and reports negative values.
func count[T int | time.Duration](p *problems, option string, value *T, byDefault, most T) {
	if *value < 0 {
		p.add("%s(%v), want more than 0, or 0 for the default %v", option, *value, byDefault)
		*value = 0
	}
	*value = min(cmp.Or(*value, byDefault), most)
}
