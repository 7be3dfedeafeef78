// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package options has the types of options. Which broadcaster takes an option is part of its
// type, so an option that a broadcaster would ignore does not compile:
//
//	          | events, eventstest | legacy | adapter
//	Events    | yes                | yes    | yes
//	Legacy    |                    | yes    | yes
//	Adapter   |                    |        | yes
//
// The interfaces have unexported methods. So nobody else can make an option.
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

// Config is what all options together can set. Each broadcaster reads its part.
type Config struct {
	engine.Config

	// CorrelatorOptions and QueueSize are for the core of package correlator. QueueSize is how
	// much may wait there, and only tests set it.
	CorrelatorOptions record.CorrelatorOptions
	QueueSize         int

	// Mode, Selector and Sinks are for an adapter. Sinks wrap its sink, the last one outermost.
	Mode     *string
	Selector *string
	Sinks    []func(series.Sink) series.Sink
}

// Adapter is an option that an adapter takes.
type Adapter interface{ apply(c *Config) }

// Legacy is an option that an adapter and package legacy take.
type Legacy interface {
	Adapter
	legacy()
}

// Events is an option that every broadcaster takes.
type Events interface {
	Legacy
	events()
}

// Apply returns the configuration that the options make. Nil options change nothing. ctx is the
// context unless an option has another one.
func Apply[Option Adapter](ctx context.Context, opts []Option) Config {
	var c Config
	applyAll(&c, opts)
	c.Complete(ctx)
	return c
}

func applyAll[Option Adapter](c *Config, opts []Option) {
	for _, option := range opts {
		if any(option) != nil {
			option.apply(c)
		}
	}
}

// All returns an option that applies opts, each of which is listed by itself.
func All[Option Events](opts []Option) Events {
	opts = slices.Clone(opts)
	return ForEvents(func(c *Config) { applyAll(c, opts) }, "")
}

// ForAdapter returns an option that calls set. It is listed among the given ones as it is written in
// code, unless its name is empty.
func ForAdapter(set func(*Config), name string, args ...any) Adapter {
	return newOption(set, name, args)
}

// ForLegacy is ForAdapter for package legacy, too.
func ForLegacy(set func(*Config), name string, args ...any) Legacy {
	return legacyOption{newOption(set, name, args)}
}

// ForEvents is ForAdapter for every broadcaster.
func ForEvents(set func(*Config), name string, args ...any) Events {
	return eventsOption{legacyOption{newOption(set, name, args)}}
}

type option struct {
	set  func(*Config)
	text string // as it is written in code
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

type legacyOption struct{ option }

func (legacyOption) legacy() {}

type eventsOption struct{ legacyOption }

func (eventsOption) events() {}
