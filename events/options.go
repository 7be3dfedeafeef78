// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/options"
)

// Option changes a default of a [Broadcaster]. No option is needed.
//
// A duration or number of 0 selects the default. A duration of more than ten years is reduced to
// ten years. Start returns a single error that reports all invalid values.
//
// Packages adapter, legacy and eventstest accept these options as well. The options of packages
// adapter and legacy have different types, so code that passes one of these options to
// NewBroadcaster does not compile.
type Option interface{ options.Events }

// set returns an option that calls change. [Snapshot.Options] lists it as name(args), or omits it
// if name is empty.
func set(change func(*options.Config), name string, args ...any) Option {
	return options.ForEvents(change, name, args...)
}

// WithOptions returns an option that applies all of opts in order. Use it to pass a slice of
// options of this package together with options of package adapter or legacy.
func WithOptions(opts ...Option) Option { return options.All(opts) }

// WithClock sets the clock that is used for the times in Events and for all intervals, except that
// the deadline of a write and the drain timeout are measured in real time. The time of clk must not
// go backwards. The default is the real clock, whose times stay in order even if the system clock
// is set back.
func WithClock(clk clock.WithTicker) Option {
	return set(func(c *options.Config) { c.Clock = clk }, "")
}

// WithLogger sets the logger of the broadcaster, and of its recorders unless [Recorder.WithLogger]
// sets another one. The default is the logger in the context that the broadcaster is created with,
// or klog.Background() if it is created without a context.
func WithLogger(logger klog.Logger) Option {
	return set(func(c *options.Config) { c.Logger = &logger }, "")
}

// WithMaxSeries sets the maximum number of series in memory. The default is 65536, which is enough
// for six series about each of ten thousand pods within one finish interval. A series keeps at most
// 4 KiB of annotations and 4 KiB of labels. The cache of client-go has no limit.
//
// When the cache is full, a new series evicts a series that has nothing pending and has been idle
// for a minute. A new series of type Warning may also evict any other series that has nothing
// pending, or else the oldest pending series of type Normal. If nothing can be evicted, the
// occurrence is counted in Dropped[DropCacheFull].
func WithMaxSeries(n int) Option {
	return set(func(c *options.Config) { c.MaxSeries = n }, "WithMaxSeries", n)
}

// WithFinishInterval sets how long a series continues after its last occurrence. When the series
// ends, its final count is written and it is removed from memory. A later occurrence starts a new
// series with its own Event. The default is 6 minutes. KEP-383 asks for a time "longer than the
// longest backoff period" of the components.
//
// If your component repeats an occurrence less often, for example in a reconcile every ten minutes,
// each repeat becomes a new Event. To count the repeats in one Event, set a finish interval that is
// longer than the time between two repeats. Pending occurrences are retried for an hour, or for the
// finish interval if that is longer.
func WithFinishInterval(d time.Duration) Option {
	return set(func(c *options.Config) { c.Intervals.Finish = d }, "WithFinishInterval", d)
}

// WithRefreshInterval sets the maximum time between two writes of a series that has new
// occurrences. The default is 30 minutes (KEP-383).
//
// Each write extends the time for which the server keeps the Event, so the interval should be
// shorter than kube-apiserver's --event-ttl, which is an hour by default. If an Event does expire,
// it is created again with its full count.
//
// If the server keeps Events for less time than the interval, the broadcaster learns this from
// Events that have expired. After three such Events in two namespaces, it shortens the interval to
// half the lifetime of these Events, but not below one minute. From time to time a few series wait
// for the whole interval, so that the broadcaster notices if the server keeps Events for longer
// again.
func WithRefreshInterval(d time.Duration) Option {
	return set(func(c *options.Config) { c.Intervals.Refresh = d }, "WithRefreshInterval", d)
}

// WithNotePolicy sets the policy for occurrences that differ only in their notes. It may be passed
// several times.
//
// With reasons, the policy applies to Events that have one of these reasons, whichever recorder
// records them. Without reasons, it applies to all other Events, except those of a recorder
// returned by [Recorder.WithNotePolicy]. The default is [NotesFirst].
func WithNotePolicy(policy NotePolicy, reasons ...string) Option {
	args := []any{policy}
	for _, reason := range reasons {
		args = append(args, reason)
	}
	if len(reasons) == 0 {
		reasons = []string{""}
	}
	return set(func(c *options.Config) {
		if c.Notes == nil {
			c.Notes = map[string]engine.NotePolicy{}
		}
		for _, reason := range reasons {
			c.Notes[reason] = policy.policy
		}
	}, "WithNotePolicy", args...)
}

// WithScheme sets the scheme in which recorders look up the kind of an object that does not contain
// its kind. A scheme that is passed to [Broadcaster.Recorder] takes precedence. By default a
// [Broadcaster] has no scheme. An adapter, and the Recorder of package eventstest, use client-go's
// scheme with the built-in kinds by default. The scheme that is set replaces the default. So if
// Events are about custom resources and about built-in kinds, it needs both.
func WithScheme(scheme *runtime.Scheme) Option {
	return set(func(c *options.Config) { c.Scheme = scheme }, "")
}

// WithDrainTimeout sets the drain timeout, in real time. Shutdown gives up after this time. It is
// also how long the broadcaster waits for a call of Drain or Shutdown after Start's context has
// ended, before it shuts itself down. The default is 5 seconds, well below the 30 seconds that a
// pod has to terminate.
func WithDrainTimeout(d time.Duration) Option {
	return set(func(c *options.Config) { c.DrainTimeout = d }, "WithDrainTimeout", d)
}

// WithReportingInstance sets the reporting instance of all recorders. The default is the reporting
// controller, "-", and the name of the host, as in client-go.
func WithReportingInstance(instance string) Option {
	return set(func(c *options.Config) { c.ReportingInstance = instance }, "WithReportingInstance", instance)
}

// WithSharedCounts lets several processes count in one Event. A component that restarts in a loop,
// or whose replicas record the same occurrences, then has one Event with the sum of their counts.
// By default each process creates its own Events, and a new one each time a series starts again.
//
// With this option the name of an Event is computed from the recorded texts and objects, not from
// the time. If the server already has an Event of this name, a new series continues the count of
// this Event. This works for as long as the server keeps the Event, which by default is an hour
// after its last write. Occurrences that a process has not written when it is killed are lost, as
// they are without this option. No permission other than create and patch is needed.
//
// The name of an Event consists of the name of its object, 128 bits of a SHA-256 hash of reporting
// controller, type, reason, action, regarding and related, and a number. The number is 0, or a
// higher one if an Event with a lower number exists and cannot be used. The annotation
// eventseries.dev/counts is a JSON list with the reporting instance and the share of each process.
// The Event keeps the reportingInstance and the note of its first occurrence, because the API
// server does not allow either to change. At most 32 processes share an Event; the next process
// creates another one.
//
// If an existing Event has the computed name but belongs to another series, or if its annotation
// contains implausible counts, the SDK does not write to this Event.
//
// The option has no effect on reasons for which [NotesDistinct] is set. Start logs such policies.
// The sink must return the stored Event with its resourceVersion, as the sinks of package sinks do.
func WithSharedCounts() Option {
	return set(func(c *options.Config) { c.SharedCounts = true }, "WithSharedCounts")
}

// WithLogDoublings makes StartLogging log only the 1st, 2nd, 4th, 8th, … occurrence of each series,
// together with its count. A million occurrences in a hot loop then produce 20 lines, and the other
// occurrences cost no more than without logging. By default every occurrence is logged, as in
// client-go.
//
// Logging does not depend on the API server, so occurrences that cannot be written are logged too.
// An occurrence that is dropped without a series is always logged. The option affects neither
// StartEventWatcher nor package legacy, which has no series.
func WithLogDoublings() Option {
	return set(func(c *options.Config) { c.LogDoublings = true }, "WithLogDoublings")
}

// WithDropHandler sets a function that is called for every drop. With or without a handler, drops
// are counted in [Stats.Dropped], and a drop is logged if someone can do something about it.
//
// handler is called in the goroutine that recorded or wrote the occurrence, without a lock held.
// Several goroutines may call it at the same time. It must not block, and must not call Flush,
// Drain or Shutdown. If it panics, the panic is logged. If handler records an Event that is
// dropped, handler is called again, so a handler that always records an Event may recurse without
// end.
func WithDropHandler(handler func(Drop)) Option {
	return set(func(c *options.Config) {
		if handler == nil {
			c.OnDrop = nil
			return
		}
		c.OnDrop = func(d engine.Drop) {
			handler(Drop{
				Reason:      DropReason(d.Reason.String()),
				Type:        d.Type,
				EventReason: d.EventReason,
				Regarding:   d.Regarding,
				Occurrences: d.Occurrences,
				Err:         d.Err,
			})
		}
	}, "WithDropHandler")
}

// WithContextAnnotations sets the function that [Recorder.WithContext] calls to derive annotations
// from a context, such as the ID of the current trace. If annotate panics, the panic is logged and
// no annotations are added. By default there is no such function, and Recorder.WithContext has no
// effect.
func WithContextAnnotations(annotate func(ctx context.Context) map[string]string) Option {
	return set(func(c *options.Config) { c.Annotate = annotate }, "WithContextAnnotations")
}

// WithObjectAnnotations sets the function that derives annotations of an Event from its regarding
// object, such as the ID of the trace that has changed the object. Every call of a recorder calls
// annotate with the object that it was passed, in the same goroutine, so annotate must be fast, safe
// for concurrent use, and must not change the object. The annotations of [Recorder.WithContext] and
// of AnnotatedEventf win over these. If annotate panics, the panic is logged and no annotations are
// added. By default there is no such function.
func WithObjectAnnotations(annotate func(regarding runtime.Object) map[string]string) Option {
	return set(func(c *options.Config) { c.AnnotateObject = annotate }, "WithObjectAnnotations")
}

// WithLabels adds labels to the metadata of every Event, so that kubectl get events -l and other
// readers can select by them. If it is passed several times, all labels are added.
// [Recorder.WithLabels] adds more labels. By default no labels are added.
//
// Occurrences with different labels are counted in one series, whose Event has the labels of the
// first occurrence. The labels of an Event are limited to 4096 bytes in total. Start returns an
// error if they exceed the limit, or if the API server would refuse one of them.
func WithLabels(labels map[string]string) Option {
	return set(func(c *options.Config) {
		text, err := eventlabels.Add(c.Labels, labels)
		c.Labels = text
		if err != nil {
			c.Errs = append(c.Errs, fmt.Errorf("events: WithLabels: %w", err))
		}
	}, "WithLabels", labels)
}

// unshared returns the WithNotePolicy options, in text form, under which WithSharedCounts has no
// effect.
func unshared(c *engine.Config) (options []string) {
	for _, reason := range slices.Sorted(maps.Keys(c.Notes)) {
		if c.SharedCounts && c.Notes[reason].Distinct() > 0 {
			options = append(options, c.Notes[reason].Option(reason))
		}
	}
	return options
}
