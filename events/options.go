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
// A duration or number of 0 stands for the default. A duration of more than ten years is cut to ten
// years. Start returns one error for all invalid values.
//
// The broadcasters of packages adapter, legacy and eventstest take these options, too. An option of
// packages adapter or legacy has another type, so code that passes it to NewBroadcaster does not
// compile.
type Option interface{ options.Events }

// set returns an option that calls change. [Snapshot.Options] lists it with its name and args, or
// not at all if name is empty.
func set(change func(*options.Config), name string, args ...any) Option {
	return options.ForEvents(change, name, args...)
}

// WithOptions returns one option that applies all of opts in their order. Use it to pass a slice of
// options of this package together with options of package adapter or legacy.
func WithOptions(opts ...Option) Option { return options.All(opts) }

// WithClock sets the clock for the times in Events and for all intervals except two: the deadline
// of a write and the drain timeout are in real time. The time of clk must not go back. The default
// is the real clock, whose times keep their order even if the system's clock is set back.
func WithClock(clk clock.WithTicker) Option {
	return set(func(c *options.Config) { c.Clock = clk }, "")
}

// WithLogger sets the logger of the broadcaster, and of its recorders unless [Recorder.WithLogger]
// sets another one. The default is the logger of the context with which the broadcaster is made, or
// klog.Background() if it is made without a context.
func WithLogger(logger klog.Logger) Option {
	return set(func(c *options.Config) { c.Logger = &logger }, "")
}

// WithMaxSeries sets the largest number of series in memory. The default is 65536, which is enough
// for six series about each of ten thousand pods within one finish interval. A series keeps at most
// 4 KiB of annotations and 4 KiB of labels. The cache of client-go has no limit.
//
// When the cache is full, a new series evicts a series that has nothing pending and was idle for a
// minute. A new series of Warnings may also evict any other series that has nothing pending, or
// else the oldest pending series of Normals. If nothing can be evicted, the occurrence is dropped
// as Dropped[DropCacheFull].
func WithMaxSeries(n int) Option {
	return set(func(c *options.Config) { c.MaxSeries = n }, "WithMaxSeries", n)
}

// WithFinishInterval sets the time without an occurrence after which a series ends. The final count
// is then written, the series is removed from memory, and a later occurrence begins a new series
// with an Event of its own. The default is 6 minutes. KEP-383 asks for a time "longer than the
// longest backoff period" of the components.
//
// If your component repeats an occurrence less often, for example in a reconcile every ten minutes,
// each repeat becomes a new Event. Set an interval above that period to count them in one Event.
// Pending occurrences are retried for the finish interval if that is longer than an hour, and for
// an hour otherwise.
func WithFinishInterval(d time.Duration) Option {
	return set(func(c *options.Config) { c.Intervals.Finish = d }, "WithFinishInterval", d)
}

// WithRefreshInterval sets the longest time for which a series with new occurrences is not written.
// The default is 30 minutes (KEP-383).
//
// Each write renews the time for which the server keeps the Event. So the interval should be
// shorter than kube-apiserver's --event-ttl, which is an hour by default. If an Event expires
// nevertheless, it is created again with its whole count.
//
// If the server keeps Events for a shorter time, the broadcaster learns this from Events that have
// expired. After three of them in two namespaces, it writes series after half of the time for which
// these Events existed, but not sooner than after a minute. Now and then a few series wait for the
// whole interval, so that the broadcaster notices when the server keeps Events for longer again.
func WithRefreshInterval(d time.Duration) Option {
	return set(func(c *options.Config) { c.Intervals.Refresh = d }, "WithRefreshInterval", d)
}

// WithNotePolicy sets the policy for occurrences that differ only in their notes. It may be given
// several times.
//
// With reasons, the policy applies to Events of these reasons, whichever recorder records them.
// Without reasons, it applies to all other Events, except the Events of a recorder that
// [Recorder.WithNotePolicy] made. The default is [NotesFirst].
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

// WithScheme sets the scheme in which recorders look up the kind of an object that does not have
// its kind itself. A recorder that was made with a scheme of its own uses that instead. By default
// a [Broadcaster] has no scheme. An adapter, and the Recorder of package eventstest, have
// client-go's scheme with the built-in kinds.
func WithScheme(scheme *runtime.Scheme) Option {
	return set(func(c *options.Config) { c.Scheme = scheme }, "")
}

// WithDrainTimeout sets the drain timeout, in real time. Shutdown gives up after this time. It is
// also the time after the end of Start's context in which Drain or Shutdown must be called,
// otherwise the broadcaster shuts down by itself. The default is 5 seconds, well below the 30
// seconds that a pod has to terminate.
func WithDrainTimeout(d time.Duration) Option {
	return set(func(c *options.Config) { c.DrainTimeout = d }, "WithDrainTimeout", d)
}

// WithReportingInstance sets the reporting instance of all recorders. The default is the reporting
// controller and the name of the host, joined by "-", as in client-go.
func WithReportingInstance(instance string) Option {
	return set(func(c *options.Config) { c.ReportingInstance = instance }, "WithReportingInstance", instance)
}

// WithSharedCounts lets several processes count in one Event. A component that restarts in a loop,
// or has replicas that record the same occurrences, then has one Event with the sum of their
// counts. By default each process creates its own Events, and another one for each series that
// begins again.
//
// With this option the name of an Event is computed from the recorded texts and objects, and not
// from the time. If an Event of this name is already on the server, a new series continues its
// count. This is possible for as long as the server keeps the Event: by default an hour after its
// last write. Occurrences that a process had not written when it was killed are lost, as they are
// without this option. No permission other than create and patch is needed.
//
// The name of an Event consists of the name of its object, 128 bits of SHA-256 over reporting
// controller, type, reason, action, regarding and related, and a number. The number is 0 unless the
// lower numbers are taken. The annotation eventseries.dev/counts is a JSON list with the reporting
// instance and the share of each process. The Event keeps the reportingInstance and the note of its
// first occurrence, because the API server lets neither change. At most 32 processes share an
// Event; the next process creates another one.
//
// The SDK does not write to an Event of such a name if it belongs to another series, or if its
// annotation has counts that are not plausible.
//
// The option has no effect on reasons for which [NotesDistinct] is set. Start logs these policies.
// The sink must return the stored Event with its resourceVersion, as the sinks of package sinks do.
func WithSharedCounts() Option {
	return set(func(c *options.Config) { c.SharedCounts = true }, "WithSharedCounts")
}

// WithLogDoublings makes StartLogging log only the 1st, 2nd, 4th, 8th, … occurrence of each series,
// together with its count. A million occurrences in a hot loop are then 20 lines, and the other
// occurrences cost no more than without a log. By default every occurrence is logged, as in
// client-go.
//
// The lines do not depend on the API server, so occurrences that cannot be written are in the log,
// too. An occurrence that is dropped and has no series is always logged. The option has no effect
// on StartEventWatcher, nor in package legacy, which has no series.
func WithLogDoublings() Option {
	return set(func(c *options.Config) { c.LogDoublings = true }, "WithLogDoublings")
}

// WithDropHandler sets a function that is called for every drop. By default drops are counted in
// [Stats.Dropped], and logged if somebody can do something about them.
//
// The goroutine that recorded or wrote the occurrence calls handler, without holding a lock.
// Several goroutines may call it at the same time. It must not block, and must not call Flush,
// Drain or Shutdown. A panic of handler is logged. If handler records an Event itself, that may be
// dropped and call handler again, so it must not always record one.
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

// WithContextAnnotations sets the function by which [Recorder.WithContext] makes annotations of a
// context, such as the ID of the current trace. If annotate panics, the panic is logged and no
// annotations are added. By default there is no such function, and Recorder.WithContext has no
// effect.
func WithContextAnnotations(annotate func(ctx context.Context) map[string]string) Option {
	return set(func(c *options.Config) { c.Annotate = annotate }, "WithContextAnnotations")
}

// WithLabels adds labels to the metadata of every Event, so that kubectl get events -l and other
// readers can select by them. If it is given several times, all labels are added.
// [Recorder.WithLabels] adds more. By default there are none.
//
// Occurrences with different labels are counted in one series, whose Event has the labels of the
// first one. All labels of an Event together may have 4096 bytes. Start returns an error for more,
// and for a label that the API server would refuse.
func WithLabels(labels map[string]string) Option {
	return set(func(c *options.Config) {
		text, err := eventlabels.Add(c.Labels, labels)
		c.Labels = text
		if err != nil {
			c.Errs = append(c.Errs, fmt.Errorf("events: WithLabels: %w", err))
		}
	}, "WithLabels", labels)
}

// unshared returns the options that set a note policy under which WithSharedCounts has no effect.
func unshared(c *engine.Config) (options []string) {
	for _, reason := range slices.Sorted(maps.Keys(c.Notes)) {
		if c.SharedCounts && c.Notes[reason].Distinct() > 0 {
			options = append(options, c.Notes[reason].Option(reason))
		}
	}
	return options
}
