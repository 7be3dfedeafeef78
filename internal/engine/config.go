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

// Config contains all settings of an engine. The first part is set by the user's options. The
// second part, which begins with Lenient, is set by the package that creates the engine. For most
// fields the zero value means the default.
type Config struct {
	// Context is the context of the broadcaster. The default logger comes from it, and its end
	// means that the component is stopping; see Supervised.
	Context context.Context
	// Clock provides the times of occurrences, and measures all intervals except WriteTimeout and
	// DrainTimeout, which are measured in real time.
	Clock clock.WithTicker
	// Logger is the user's logger, or nil for the logger of Context. Complete wraps it, so that a
	// panic in it is recovered.
	Logger *klog.Logger
	// Scheme provides the kinds of objects whose own kind field is empty. It is nil unless an
	// option sets it.
	Scheme *runtime.Scheme
	// Strict makes recorders drop every occurrence that the API server would accept only after a
	// repair of its texts. The drop has the reason Invalid.
	Strict bool

	// MaxInFlight is the maximum size of the writer's window of concurrent writes. Only tests set
	// it.
	MaxInFlight int
	// MaxSeries is the maximum number of series in memory.
	MaxSeries int
	// MaxSeriesPerObject is the maximum number of series about one object; see
	// [series.Cache.LimitObjects].
	MaxSeriesPerObject int
	// Intervals determine when a series is written, ends, or is too old. Only tests set Publish and
	// RetryFor.
	Intervals series.Intervals
	// WriteTimeout is the time limit of one attempt to write. Only tests set it.
	WriteTimeout time.Duration
	// DrainTimeout is the time limit of Shutdown; see [broadcast.Config].
	DrainTimeout time.Duration
	// ReportingInstance is the reporting instance of all recorders. If it is empty, package events
	// constructs one from the controller and the host name.
	ReportingInstance string
	// Notes maps reasons to their note policies. The policy with the key "" applies to all reasons
	// that are not in the map.
	Notes map[string]NotePolicy
	// Labels are added to every Event. They are encoded by package eventlabels.
	Labels string
	// SharedCounts makes the series of several processes count in the same Event; see
	// [series.Cache.ShareCounts].
	SharedCounts bool
	// LogDoublings makes StartLogging log only the 1st, 2nd, 4th, 8th, … occurrence of a series.
	LogDoublings bool
	// OnDrop is called for every drop, while no lock is held. It may be nil.
	OnDrop func(Drop)
	// OnOccurrence is called with every occurrence as an Event, in the goroutine that records it.
	// It may be nil.
	OnOccurrence func(*eventsv1.Event)
	// Annotate returns the annotations that a recorder takes from a context. It may be nil.
	Annotate func(context.Context) map[string]string
	// AnnotateObject returns the annotations that an Event takes from its regarding object. It may
	// be nil.
	AnnotateObject func(regarding runtime.Object) map[string]string

	// Given lists the options that the user has set, as they are written in Go code, such as
	// "WithMaxSeries(100)". Snapshot contains the list.
	Given []string
	// Errs contains errors about options. WithDefaults adds errors about invalid values of the
	// fields above.
	Errs []error

	// Lenient makes New log the errors about options. If Lenient is false, Start returns these
	// errors instead.
	Lenient bool
	// Sink stores the Events of the series. If both Sink and Correlator are nil, every occurrence
	// is dropped with the reason Filtered.
	Sink series.Sink
	// Correlator is the core that takes occurrences in place of the series, or nil. If Correlate is
	// nil, it takes all occurrences, and there are no series. Otherwise it takes the occurrences
	// that are recorded while Correlate is true.
	Correlator Correlator
	Correlate  *atomic.Bool
	// DropAll is the reason for dropping every occurrence. None means that occurrences are
	// recorded.
	DropAll stats.Reason
	// Log writes the log lines about incidents. If it is nil, New creates one. If a package passes
	// its own Log, the engine can log the end of an incident whose beginning the package has
	// logged.
	Log *broadcast.Log
	// Supervised makes the engine shut down after the end of Context, even if it was never started.
	// Otherwise, it shuts down only after the end of Start's context.
	Supervised bool
	// NeedNotStart means that an engine that is never started is no mistake: in the recorder for
	// unit tests only Flush writes, and a broadcaster of client-go's record need not have a sink.
	// Any other engine logs a reminder if it has something to write and was not started.
	NeedNotStart bool
	// Run is called in its own goroutine when the engine starts. It must return when its context
	// ends, which happens after a drain has written the pending occurrences or given up.
	Run func(context.Context)
	// BeforeRecord is called before each occurrence is recorded, in the goroutine that records it.
	BeforeRecord func()
	// Lost converts the losses of a drain to the error that Drain returns.
	Lost func(*Loss) error
	// OnDraining lists functions to call just before all pending occurrences become due at the end:
	// when the context ends, and again when the drain begins. So each function may be called twice.
	OnDraining []func()
	// OnDrained lists functions to call after the engine has ended, when its counters no longer
	// change. They are called in reverse order.
	OnDrained []func()
	// PublishBurst and PublishEvery limit the writes that are due only because the count of a
	// series has doubled: to a burst of PublishBurst, and then to one per PublishEvery. In
	// addition, Intervals.Publish is the minimum time between two writes of the same series. Only
	// tests set these fields.
	PublishBurst int
	PublishEvery time.Duration
}

// Drop describes occurrences of one series that were dropped together. It has the same fields as
// events.Drop, except that Reason has another type. Package events documents the fields.
type Drop struct {
	Reason      stats.Reason
	Type        string
	EventReason string
	Regarding   corev1.ObjectReference
	Occurrences int64
	Err         error
}

// Complete sets the context, the clock and the logger unless they are set, because packages need
// them before they create an engine. ctx is the default context. The default logger is the logger
// of the context.
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

// SchemeOrDefault returns Scheme, or client-go's scheme of the built-in kinds if Scheme is nil.
func (c *Config) SchemeOrDefault() *runtime.Scheme { return cmp.Or(c.Scheme, scheme.Scheme) }

// longest is the maximum duration of an option. Users set very long durations that mean "for ever".
// Without a limit, adding such a duration to a time would overflow.
const longest = 10 * 365 * 24 * time.Hour

// publishBurst is the default of Config.PublishBurst, which limits the writes that are due only
// because a count has doubled. A hot series needs one such write each time its count doubles, which
// is about twenty times in a million occurrences. The burst is therefore enough for a few hot
// series.
const publishBurst = 50

// maxInFlight is the default of Config.MaxInFlight.
const maxInFlight = 64

// WithDefaults returns a copy of c in which every unset or invalid value is replaced by its
// default. The returned error joins the errors about all invalid values and the errors in Errs. It
// is nil if there are no errors.
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
	// shorter, the occurrences in that count would be dropped as too old before that.
	c.Intervals.RetryFor = min(cmp.Or(c.Intervals.RetryFor, max(timing.RetryFor, c.Intervals.Finish)), longest)
	count(&check, "WithDrainTimeout", &c.DrainTimeout, timing.DrainTimeout, longest)
	// Clone the map, because other broadcasters may be created with the same options.
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

// problems collects errors about option values.
type problems []error

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Errorf("events: "+format, args...))
}

// count corrects the value of an option. It replaces zero with byDefault, and a value above maximum
// with maximum. It also replaces a negative value with byDefault, and adds an error about this
// value to p.
func count[T int | time.Duration](p *problems, option string, value *T, byDefault, maximum T) {
	if *value < 0 {
		p.add("%s(%v), want more than 0, or 0 for the default %v", option, *value, byDefault)
		*value = 0
	}
	*value = min(cmp.Or(*value, byDefault), maximum)
}
