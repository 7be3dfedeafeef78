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

// Config is everything in which one engine differs from another. The first part is set by the
// options of users, the second one by the package that makes the engine. A zero value stands
// for the default.
type Config struct {
	// Context carries the logger. Its end announces the end of the component.
	Context context.Context
	Clock   clock.WithTicker
	// Logger contains panics of the user's logger, once Config is completed.
	Logger *klog.Logger
	// Scheme is asked for the kinds of objects that do not know their own. It is nil unless an
	// option has set it.
	Scheme *runtime.Scheme
	// Strict drops events that would otherwise be repaired.
	Strict bool

	MaxInFlight        int
	MaxSeries          int
	MaxSeriesPerObject int
	Intervals          series.Intervals
	WriteTimeout       time.Duration
	DrainTimeout       time.Duration
	ReportingInstance  string
	// Notes has the policy for each reason. That of "" is for all other reasons.
	Notes map[string]NotePolicy
	// Labels are encoded as package eventlabels does it.
	Labels       string
	SharedCounts bool
	LogDoublings bool
	OnDrop       func(Drop)
	OnOccurrence func(*eventsv1.Event)
	Annotate     func(context.Context) map[string]string

	// Given lists the options as they are written in code, for Snapshot.
	Given []string
	// Errs are about options. Start returns them, with those about values above. If Lenient is
	// set they are only logged.
	Errs    []error
	Lenient bool

	// Sink stores what the series need. Without a sink, and without a Correlator, every
	// occurrence is dropped as Filtered.
	Sink series.Sink
	// Correlator takes occurrences in place of the series: all of them if Correlate is nil, else
	// those that are recorded while Correlate is true.
	Correlator Correlator
	Correlate  *atomic.Bool
	// DropAll drops every occurrence for this reason, unless it is None.
	DropAll stats.Reason
	// Log is used in place of a new one, so that a line of the package that made the engine
	// begins an incident which a line of the engine ends.
	Log *broadcast.Log
	// Supervised makes the end of Context the beginning of the end, before Start, too.
	Supervised bool
	// Run is called in a goroutine from Start on. Its context ends when nothing more is written.
	Run func(context.Context)
	// BeforeRecord is called before each occurrence is recorded.
	BeforeRecord func()
	// Lost makes the error that Drain returns of what it could not write.
	Lost func(*Loss) error
	// OnDraining is called when everything pending is to be written, because the end has come.
	OnDraining []func()
	// OnDrained is called when the engine has ended and its accounts are final, in reverse order.
	OnDrained []func()
	// PublishBurst is how many writes of doubled counts there may be at once, and PublishEvery how
	// long it takes until there may be one more. Intervals.Publish is their distance in one series.
	PublishBurst int
	PublishEvery time.Duration
}

// Drop is events.Drop, with the reason as the engine counts it.
type Drop struct {
	Reason      stats.Reason
	Type        string
	EventReason string
	Regarding   corev1.ObjectReference
	Occurrences int64
	Err         error
}

// Complete fills in the context, the clock and the logger, which packages need before they make
// an engine. The default logger is the one of the context.
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

// SchemeOrDefault returns the scheme of the options, or client-go's with the built-in kinds.
func (c *Config) SchemeOrDefault() *runtime.Scheme { return cmp.Or(c.Scheme, scheme.Scheme) }

// longest bounds durations that stand for "for ever", so that times can be added.
const longest = 10 * 365 * 24 * time.Hour

// publishBurst is how many doubled counts may be written at once, before one each timing.PublishEvery. A single hot
// series needs one for each doubling: the burst is for several of them.
const publishBurst = 50

// maxInFlight is how far the window may open.
const maxInFlight = 64

// WithDefaults returns c with a default for each value that is not set. Invalid values are replaced by
// the default and listed in the error, together with Errs.
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
	// A series that ends is written until then, so a longer finish interval needs more.
	c.Intervals.RetryFor = min(cmp.Or(c.Intervals.RetryFor, max(timing.RetryFor, c.Intervals.Finish)), longest)
	count(&check, "WithDrainTimeout", &c.DrainTimeout, timing.DrainTimeout, longest)
	c.Notes = maps.Clone(c.Notes) // of the options, which may make other broadcasters
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
