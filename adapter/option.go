// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"fmt"
	"os"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/series"
)

// Mode is a way to write Events.
type Mode string

// The modes. The field API of a [Snapshot] has the present one, which is never ModeAuto.
const (
	// ModeAuto follows discovery and RBAC. It is the default. On a cluster that does not serve
	// events.k8s.io/v1 it is as ModeLegacy.
	ModeAuto Mode = "auto"
	// ModeEventsV1 is events.k8s.io/v1.
	ModeEventsV1 Mode = "v1"
	// ModeCoreV1 is core/v1, with the same series and the same objects.
	ModeCoreV1 Mode = "core"
	// ModeLegacy is core/v1, correlated as client-go does (package legacy).
	ModeLegacy Mode = "legacy"
)

// Environment is the variable by which an operator overrides [WithMode]. A value
// that is no mode is logged and ignored: the mode is WithMode's.
const Environment = "EVENTSERIES_API"

// Option changes a default of an [Adapter], a clusters.Set or a recordevents.Broadcaster. Options of
// packages events and legacy are Options here, too. Of an adapter the context is a parameter, which
// wins over legacy.WithContext. Start reports what makes no sense.
type Option interface{ options.Adapter }

// config is what an adapter is made with. Its options are those of its engine, too.
type config struct {
	options.Config
	mode     Mode
	selector string
	// environment has the variables that the operator has set, and that are not ignored.
	environment []string
}

// WithMode pins the API; ModeAuto by default. The environment variable
// EVENTSERIES_API wins over it.
func WithMode(mode Mode) Option {
	text := string(mode)
	return options.ForAdapter(func(c *options.Config) { c.Mode = &text }, "WithMode", text)
}

// WithSink replaces the sink of the series by the one that wrap makes of it: sinks.Tee writes to
// another one as well, sinks.Filter leaves out what only the other one should have. api
// chooses the API for each write, and is used as it is by default. Events that client-go's
// correlator makes, which is in ModeLegacy and in clusters without events.k8s.io/v1, are not
// written to this sink. wrap is called once, and must not return nil. Several wrap each
// other, the last outermost.
func WithSink(wrap func(api events.Sink) events.Sink) Option {
	return options.ForAdapter(func(c *options.Config) {
		c.Sinks = append(c.Sinks, func(sink series.Sink) series.Sink { return wrap(sink) })
	}, "WithSink")
}

// newConfig returns the configuration that opts and the environment make. ctx is its context, unless
// an option has another one.
func newConfig[O options.Adapter](ctx context.Context, opts []O) config {
	return complete(options.Apply(ctx, opts))
}

// complete adds what the environment makes of c.
func complete(applied options.Config) config {
	c := config{Config: applied, mode: ModeAuto}
	c.fromOption("WithMode", c.Mode, c.setMode)
	c.fromOption("WithSelector", c.Selector, c.setSelector)
	c.fromEnvironment(Environment, c.setMode)
	c.fromEnvironment(EnvironmentSelector, c.selectByEnvironment)
	return c
}

// fromOption passes parse the text of an option, if that was given.
func (c *config) fromOption(name string, text *string, parse func(text string) error) {
	if text == nil {
		return
	}
	if err := parse(*text); err != nil {
		c.Errs = append(c.Errs, fmt.Errorf("adapter: %s: %w", name, err))
	}
}

// fromEnvironment passes parse what the operator says. A typo during a rollback must stop neither the
// component nor its Events.
func (c *config) fromEnvironment(variable string, parse func(text string) error) {
	value := os.Getenv(variable)
	if value == "" {
		return
	}
	if err := parse(value); err != nil {
		c.Logger.Error(err, "An environment variable is ignored: correct it in the component's environment",
			"advice", "environment", "variable", variable)
		return
	}
	c.environment = append(c.environment, variable+"="+value)
}

func (c *config) setMode(text string) error {
	switch mode := Mode(text); mode {
	case ModeAuto, ModeEventsV1, ModeCoreV1, ModeLegacy:
		c.mode = mode
		return nil
	}
	return fmt.Errorf("mode %q, want auto, v1, core or legacy", text)
}

// permission returns what access says about the API of m.
func (m Mode) permission(access discovery.Access) discovery.Permission {
	if m == ModeEventsV1 {
		return access.EventsV1
	}
	return access.CoreV1
}

// other returns the second API for the same object.
func (m Mode) other() Mode {
	if m == ModeCoreV1 {
		return ModeEventsV1
	}
	return ModeCoreV1
}
