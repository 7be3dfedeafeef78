// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package options has the one type of option that packages events, legacy and adapter share.
package options

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Option changes a configuration that it is about, and leaves others as they are. So an
// adapter can hand all of its options to the broadcaster that it makes.
type Option func(configuration any)

// For returns an option about configurations of type C.
func For[C any](set func(*C)) Option { return Named(set, "") }

// Named is For, and lists the option among the [Given] ones, as it is written in code,
// unless it has no name.
func Named[C any](set func(*C), name string, args ...any) Option {
	return func(configuration any) {
		switch c := configuration.(type) {
		case *C:
			set(c)
		case *Given:
			if name == "" {
				return
			}
			texts := make([]string, len(args))
			for i, arg := range args {
				texts[i] = fmt.Sprint(arg)
			}
			*c = append(*c, name+"("+strings.Join(texts, ", ")+")")
		}
	}
}

// Given lists the options made by Named, for a person.
type Given []string

// Apply applies options to each of the configurations, which are pointers.
func Apply(opts []Option, configurations ...any) {
	for _, opt := range opts {
		for _, c := range configurations {
			opt(c)
		}
	}
}

// Common is what the packages have in common.
type Common struct {
	Context context.Context
	Clock   clock.WithTicker
	Logger  *klog.Logger // which contains panics
	Scheme  *runtime.Scheme
	Strict  bool
}

// NewCommon returns what options say, and defaults. The default logger is that of the
// context, if there is one.
func NewCommon(ctx context.Context, opts []Option) Common {
	c := Common{Context: ctx}
	Apply(opts, &c)
	c.Clock = cmp.Or[clock.WithTicker](c.Clock, clock.RealClock{})
	c.Scheme = cmp.Or(c.Scheme, scheme.Scheme)
	logger := klog.FromContext(c.Context)
	if c.Logger != nil {
		logger = *c.Logger
	}
	logger = usercode.Logger(logger)
	c.Logger = &logger
	return c
}

// Engine is what only packages of this module ask of a broadcaster of package events.
type Engine struct {
	// Other is a core to be used instead of series, or while Switched says so.
	Other    series.Core
	Switched *atomic.Bool
	// Unsent drops every occurrence for this reason.
	Unsent stats.Reason
	// Log is used instead of one that the broadcaster makes, so that a line of another
	// package begins what a line of the broadcaster ends.
	Log *broadcast.Log
	// Run is called in a goroutine from Start until nothing more is written.
	Run func(context.Context)
	// Supervised is set if the end of [Common]'s context is the end before Start, too.
	Supervised bool
	// Hurry is called when all that is pending is to be written, because the end has come.
	Hurry func()
	// Ended is called when the broadcaster has ended and its accounts are final.
	Ended func()
	// Before is called before each occurrence is recorded.
	Before func()
	// PublishAfter is how soon after the last write a count that has doubled is written. There may
	// be PublishBurst of these writes, and one more in each PublishEvery.
	PublishAfter time.Duration
	PublishBurst int
	PublishEvery time.Duration
	// Err is returned by Start, with those of other options. If Lenient is set, they are
	// only logged.
	Err     error
	Lenient bool
}
