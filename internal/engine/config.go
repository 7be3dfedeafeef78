// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Config has everything in which one engine differs from another. The options of the user set the
// fields of the first part. The package that makes the engine sets the fields of the second part,
// which begins with Lenient. A zero value stands for the default.
type Config struct {
	// Context carries the logger. Its end means that the component stops; see Supervised.
	Context context.Context
	// Clock has the times of occurrences, and measures all intervals except WriteTimeout and
	// DrainTimeout, which are real time.
	Clock clock.WithTicker
	// Logger is the user's logger, or nil for the logger of Context. Complete wraps it, so that a
	// panic of the user's logger is recovered.
	Logger *klog.Logger
	// Scheme has the kinds of objects whose own kind field is empty. It is nil unless an option has
	// set it.
	Scheme *runtime.Scheme
	// Strict drops every occurrence that needs a repair, as Invalid, and repairs none.
	Strict bool

	// MaxInFlight is the greatest size of the writer's window of concurrent writes. Only tests set
	// it.
	MaxInFlight int
	// MaxSeries is the greatest number of series in memory.
	MaxSeries int
	// MaxSeriesPerObject is the greatest number of series about one object; see
	// [series.Cache.LimitObjects].
	MaxSeriesPerObject int
	// Intervals are the times at which a series is written, ends, or is too old. Only tests set
	// Publish and RetryFor.
	Intervals series.Intervals
	// WriteTimeout bounds one attempt to write. Only tests set it.
	WriteTimeout time.Duration
	// DrainTimeout bounds Shutdown; see [broadcast.Config].
	DrainTimeout time.Duration
	// ReportingInstance is the reporting instance of all recorders. If it is empty, package events
	// makes one from the controller and the host name.
	ReportingInstance string
	// Notes has the note policies of reasons. The policy under the key "" is for all reasons that
	// have none of their own.
	Notes map[string]NotePolicy
	// Labels are added to every Event. They have the encoding of package eventlabels.
	Labels string
	// SharedCounts makes series count in Events of other processes; see [series.Cache.ShareCounts].
	SharedCounts bool
	// LogDoublings makes StartLogging log only the 1st, 2nd, 4th, 8th, … occurrence of a series.
	LogDoublings bool
	// OnDrop is called for every drop, without a lock. It may be nil.
	OnDrop func(Drop)
	// OnOccurrence is called with every occurrence as an Event, by the goroutine that records it.
	// It may be nil.
	OnOccurrence func(*eventsv1.Event)
	// Annotate returns the annotations that a recorder takes from a context. It may be nil.
	Annotate func(context.Context) map[string]string

	// Given lists the options in the form in which code has them, such as "WithMaxSeries(100)".
	// Snapshot shows the list.
	Given []string
	// Errs has errors about options. WithDefaults adds errors about the values above.
	Errs []error

	// Lenient makes New log the errors about options. By default Start returns them.
	Lenient bool
	// Sink stores the Events of the series. Without a Sink and a Correlator, every occurrence is
	// dropped as Filtered.
	Sink series.Sink
	// Correlator is the core that takes occurrences in place of the series, or nil. If Correlate is
	// nil, it takes all occurrences, and there are no series. Otherwise it takes the occurrences
	// that are recorded while Correlate is true.
	Correlator Correlator
	Correlate  *atomic.Bool
	// DropAll is the reason for which every occurrence is dropped, or None to record them.
	DropAll stats.Reason
	// Log writes the log lines about incidents, or is nil for a new one. A package shares its own
	// Log with the engine, so that the engine can log the end of an incident whose beginning the
	// package has logged.
	Log *broadcast.Log
	// Supervised makes the end of Context begin the shutdown, even if the engine was never started.
	// By default only the end of Start's context does.
	Supervised bool
	// Run is called in a goroutine of its own when the engine starts. It must return when its
	// context ends, which is when a drain has written the pending occurrences or given them up.
	Run func(context.Context)
	// BeforeRecord is called before each occurrence is recorded, by the goroutine that records it.
	BeforeRecord func()
	// Lost turns the losses of a drain into the error that Drain returns.
	Lost func(*Loss) error
	// OnDraining has functions that are called just before all pending occurrences become due
	// because the end has come: when the context ends, and when the drain begins. So each may be
	// called twice.
	OnDraining []func()
	// OnDrained has functions that are called when the engine has ended and its counts do not
	// change any more. The last one is called first.
	OnDrained []func()
	// PublishBurst and PublishEvery limit the writes that are made because the count of a series
	// has doubled. PublishBurst of them may be made at once, and one more in each PublishEvery. In
	// addition, Intervals.Publish is the least time between two such writes of one series. Only
	// tests set them.
	PublishBurst int
	PublishEvery time.Duration
}

// Drop describes occurrences of one series that were dropped together. It is events.Drop with
// another type for Reason. Package events documents the fields.
type Drop struct {
	Reason      stats.Reason
	Type        string
	EventReason string
	Regarding   corev1.ObjectReference
	Occurrences int64
	Err         error
}

// Complete sets the context, the clock and the logger if they are not set, because packages need
// them before they make an engine. ctx is the default for the context. The default logger is the
// logger of the context.
func (c *Config) Complete(ctx context.Context) {
	if c.Context == nil {
		c.Context = ctx
	}
	c.Clock = cmp.Or[clock.WithTicker](c.Clock, clock.RealClock{})
	logger := klog.FromContext(c.Context)
	if c.Logger != nil {
		logger = *c.Logger
	}
	logger = usercode.Logger(logger)
	c.Logger = &logger
}

// SchemeOrDefault returns Scheme, or client-go's scheme of the built-in kinds if no option has set
// it.
func (c *Config) SchemeOrDefault() *runtime.Scheme { return cmp.Or(c.Scheme, scheme.Scheme) }

// longest is the greatest duration that an option can have. Users set very long ones that mean "for
// ever". Without this bound a time to which such a duration is added would overflow.
const longest = 10 * 365 * 24 * time.Hour

// publishBurst is the default of Config.PublishBurst. A single hot series needs one such write for
// each doubling, about twenty for a million occurrences, so the burst is enough for a few hot
// series.
const publishBurst = 50

// maxInFlight is the default of Config.MaxInFlight.
const maxInFlight = 64

// WithDefaults returns a copy of c with a default for each value that is not set, or that is
// invalid. The error lists the invalid values, and Errs. It is nil if there are none.
func (c Config) WithDefaults() (Config, error) {
	c.Intervals.Publish = cmp.Or(c.Intervals.Publish, timing.PublishAfter)
	c.PublishBurst = cmp.Or(c.PublishBurst, publishBurst)
	c.PublishEvery = cmp.Or(c.PublishEvery, timing.PublishEvery)
	c.MaxInFlight = cmp.Or(c.MaxInFlight, maxInFlight)
	c.WriteTimeout = min(cmp.Or(c.WriteTimeout, timing.WriteTimeout), longest)
	var check problems
	count(&check, "WithMaxSeries", &c.MaxSeries, 65536, math.MaxInt)
	count(&check, "WithMaxSeriesPerObject", &c.MaxSeriesPerObject, 100, math.MaxUint16)
	count(&check, "WithFinishInterval", &c.Intervals.Finish, timing.FinishInterval, longest)
	count(&check, "WithRefreshInterval", &c.Intervals.Refresh, timing.RefreshInterval, longest)
	// The final count of a series is written at the end of the finish interval. If RetryFor were
	// shorter, the occurrences in that count would be dropped as too old before.
	c.Intervals.RetryFor = min(cmp.Or(c.Intervals.RetryFor, max(timing.RetryFor, c.Intervals.Finish)), longest)
	count(&check, "WithDrainTimeout", &c.DrainTimeout, timing.DrainTimeout, longest)
	// The map belongs to the options, and other broadcasters may be made with the same options.
	c.Notes = maps.Clone(c.Notes)
	for _, reason := range slices.Sorted(maps.Keys(c.Notes)) {
		policy := c.Notes[reason]
		if policy.Valid() {
			continue
		}
		check.add("%s, want NotesFirst, NotesLatest or NotesDistinct of at least 1", policy.Option(reason))
		delete(c.Notes, reason)
	}
	return c, errors.Join(append(check, c.Errs...)...)
}

// problems collects errors about the values of options.
type problems []error

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Errorf("events: "+format, args...))
}

// count replaces a value of zero by the default, and lowers a value above most to most. It replaces
// a negative value by the default, too, and adds an error about it to p.
func count[T int | time.Duration](p *problems, option string, value *T, byDefault, most T) {
	if *value < 0 {
		p.add("%s(%v), want more than 0, or 0 for the default %v", option, *value, byDefault)
		*value = 0
	}
	*value = min(cmp.Or(*value, byDefault), most)
}
