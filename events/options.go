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

// Option changes a default of a [Broadcaster]. The zero value of a duration or
// number stands for the default. Start reports all invalid values at once.
// Durations are cut to ten years. The broadcasters of packages adapter, legacy and eventstest
// take these options, too. Options of those packages are no options here: they do not compile.
type Option interface{ options.Events }

// set returns an option that is listed in [Snapshot] under its name.
func set(change func(*options.Config), name string, args ...any) Option {
	return options.ForEvents(change, name, args...)
}

// WithOptions returns one option that does what all of opts do, in their order. It lets a slice of
// this package's options be an argument beside options of package adapter or legacy.
func WithOptions(opts ...Option) Option { return options.All(opts) }

// WithClock sets the clock for the time in events and for every interval but
// the per-attempt deadline and the drain timeout, which are real time. It must not
// go back. The default is the real clock, whose times keep their order when it is set.
func WithClock(clk clock.WithTicker) Option {
	return set(func(c *options.Config) { c.Clock = clk }, "")
}

// WithLogger sets the logger of the broadcaster itself. The default is klog.Background(),
// or the logger of the context that the broadcaster is made with.
func WithLogger(logger klog.Logger) Option {
	return set(func(c *options.Config) { c.Logger = &logger }, "")
}

// WithMaxSeries bounds the series kept in memory, 65536 by default: room for a
// series about each of ten thousand pods several times over, within the finish
// interval. Of annotations and labels a series has 4 KiB each at most. client-go's own
// cache has no bound.
func WithMaxSeries(n int) Option {
	return set(func(c *options.Config) { c.MaxSeries = n }, "WithMaxSeries", n)
}

// WithFinishInterval sets how long a series must be quiet before its final
// count is written and it is forgotten: 6 minutes by default, "longer than the
// longest backoff period" of the components (KEP-383).
func WithFinishInterval(d time.Duration) Option {
	return set(func(c *options.Config) { c.Intervals.Finish = d }, "WithFinishInterval", d)
}

// WithRefreshInterval sets the longest time that counts stay unwritten while
// occurrences go on: 30 minutes by default (KEP-383). Each write renews the
// server's TTL, so it should be shorter than kube-apiserver's --event-ttl (1 h). If an
// Event expires all the same, it is created again with its count. Once three Events in two
// namespaces have expired, the interval becomes half of the time that they lived, but not
// less than a minute. A few series keep the whole interval, and so find out when Events live
// longer again.
func WithRefreshInterval(d time.Duration) Option {
	return set(func(c *options.Config) { c.Intervals.Refresh = d }, "WithRefreshInterval", d)
}

// WithNotePolicy sets what happens to differing notes. Without reasons the policy is the default of all
// recorders, in place of [NotesFirst], and [Recorder.WithNotePolicy] wins over it. With reasons it
// is the policy of these reasons, and wins over both. It may be given several times.
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

// WithScheme sets the scheme in which recorders look up the kinds of objects that do not know
// their own. A recorder that is given a scheme of its own does not use it. By default an adapter,
// and the Recorder of package eventstest, have client-go's scheme with the built-in kinds, and
// the recorders of other broadcasters have the one that they are given.
func WithScheme(scheme *runtime.Scheme) Option {
	return set(func(c *options.Config) { c.Scheme = scheme }, "")
}

// WithDrainTimeout bounds Shutdown, and the time between the end of Start's context
// and the broadcaster's own shutdown, if neither Drain nor Shutdown is called: 5
// seconds of real time by default, well within the 30 seconds that a pod has to
// terminate.
func WithDrainTimeout(d time.Duration) Option {
	return set(func(c *options.Config) { c.DrainTimeout = d }, "WithDrainTimeout", d)
}

// WithReportingInstance sets the reporting instance of every recorder. The
// default is <reporting controller>-<hostname>, as in client-go.
func WithReportingInstance(instance string) Option {
	return set(func(c *options.Config) { c.ReportingInstance = instance }, "WithReportingInstance", instance)
}

// WithSharedCounts makes series survive the process. By default each process begins Events of
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
func WithSharedCounts() Option {
	return set(func(c *options.Config) { c.SharedCounts = true }, "WithSharedCounts")
}

// WithLogDoublings makes StartLogging log the 1st, 2nd, 4th, 8th, … occurrence of a
// series, with its count, instead of every one: a hot loop of a million is 20 lines, and
// the others cost what they cost without a log. It does not depend on the API server, so
// what cannot be written is in the log all the same. What has no series, because it is
// dropped, is logged each time. By default every occurrence is logged, as
// client-go does. StartEventWatcher and package legacy, whose occurrences have no series,
// are not affected.
func WithLogDoublings() Option {
	return set(func(c *options.Config) { c.LogDoublings = true }, "WithLogDoublings")
}

// WithDropHandler sets a function that is called for every drop, without locks, by the
// goroutine that recorded or wrote, possibly by several at a time. It must not block,
// and not call Flush, Drain or Shutdown. A panic is logged. An event that it records
// may be dropped, too, and calls it again, so it must stop at some point. By default
// drops are counted, and logged if there is a remedy.
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

// WithContextAnnotations sets a function that [Recorder.WithContext] calls to turn a
// context into annotations, such as the trace that the context is part of. A panic is
// logged, and there are no annotations then. The default is none, and
// Recorder.WithContext does nothing.
func WithContextAnnotations(annotate func(ctx context.Context) map[string]string) Option {
	return set(func(c *options.Config) { c.Annotate = annotate }, "WithContextAnnotations")
}

// WithLabels adds labels to the metadata of every Event, for kubectl get events -l and
// for consumers that select. Several add up, and [Recorder.WithLabels] adds more. Labels
// are no part of a series: it keeps those of its first occurrence. Together they may have
// 4096 bytes. By default there are none.
func WithLabels(labels map[string]string) Option {
	return set(func(c *options.Config) {
		text, err := eventlabels.Add(c.Labels, labels)
		c.Labels = text
		if err != nil {
			c.Errs = append(c.Errs, fmt.Errorf("events: WithLabels: %w", err))
		}
	}, "WithLabels", labels)
}

// notContinued returns the options whose reasons WithSharedCounts has no effect on.
func notContinued(c *engine.Config) (options []string) {
	for _, reason := range slices.Sorted(maps.Keys(c.Notes)) {
		if c.SharedCounts && c.Notes[reason].Distinct() > 0 {
			options = append(options, c.Notes[reason].Option(reason))
		}
	}
	return options
}
