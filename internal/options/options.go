// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package options contains the types of the SDK's options. The type of an option says which
// packages take the option, so that an option which would have no effect does not compile:
//
//	type    | events, eventstest | legacy | adapter
//	Events  | yes                | yes    | yes
//	Legacy  |                    | yes    | yes
//	Adapter |                    |        | yes
//
// The interfaces have unexported methods, so that only this package can make options.
package options

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/series"
)

// Config contains all settings that options can change. Each broadcaster reads the fields that
// concern it.
type Config struct {
	engine.Config

	// CorrelatorOptions and QueueSize configure package correlator. QueueSize is the limit on its
	// pending occurrences, and 0 stands for the default. Only tests set it.
	CorrelatorOptions record.CorrelatorOptions
	QueueSize         int

	// Mode, Selector and Sinks configure an adapter. If Mode or Selector is nil, no option has set
	// it. The functions in Sinks wrap the adapter's sink one after the other, so the last function
	// returns the outermost sink.
	Mode     *string
	Selector *string
	Sinks    []func(series.Sink) series.Sink
}

// Adapter is an option that package adapter takes. If an option is neither a Legacy nor an Events,
// no other package takes it.
type Adapter interface{ apply(c *Config) }

// Legacy is an option that packages adapter and legacy take.
type Legacy interface {
	Adapter
	legacy()
}

// Events is an option that every broadcaster takes.
type Events interface {
	Legacy
	events()
}

// Apply returns the configuration that results from opts. If no option sets them, the context is
// ctx, the clock is the real clock, and the logger is the logger of the context. Nil options are
// ignored.
func Apply[Option Adapter](ctx context.Context, opts []Option) Config {
	var c Config
	applyAll(&c, opts)
	c.Complete(ctx)
	return c
}

// applyAll lets each option that is not nil change c.
func applyAll[Option Adapter](c *Config, opts []Option) {
	for _, option := range opts {
		if any(option) != nil {
			option.apply(c)
		}
	}
}

// All returns one option that applies all of opts.
func All[Option Events](opts []Option) Events {
	opts = slices.Clone(opts)
	return ForEvents(func(c *Config) { applyAll(c, opts) }, "")
}

// ForAdapter returns an option that calls set. name and args are the name and the arguments of the
// option in the caller's code, such as "WithMaxSeries" and 100. From both, ForAdapter makes the
// text "WithMaxSeries(100)" for Config.Given, which lists the options that were given. An option
// without a name is not listed.
func ForAdapter(set func(*Config), name string, args ...any) Adapter {
	return newOption(set, name, args)
}

// ForLegacy is like ForAdapter, but package legacy takes the option, too.
func ForLegacy(set func(*Config), name string, args ...any) Legacy {
	return legacyOption{newOption(set, name, args)}
}

// ForEvents is like ForAdapter, but every broadcaster takes the option.
func ForEvents(set func(*Config), name string, args ...any) Events {
	return eventsOption{legacyOption{newOption(set, name, args)}}
}

// option implements Adapter.
type option struct {
	set func(*Config)
	// text is the option as it is written in Go code, or empty if the option is not listed.
	text string
}

func newOption(set func(*Config), name string, args []any) option {
	if name == "" {
		return option{set: set}
	}
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = fmt.Sprint(arg)
	}
	return option{set: set, text: name + "(" + strings.Join(texts, ", ") + ")"}
}

func (o option) apply(c *Config) {
	o.set(c)
	if o.text != "" {
		c.Given = append(c.Given, o.text)
	}
}

// legacyOption implements Legacy.
type legacyOption struct{ option }

func (legacyOption) legacy() {}

// eventsOption implements Events.
type eventsOption struct{ legacyOption }

func (eventsOption) events() {}
