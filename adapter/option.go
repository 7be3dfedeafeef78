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

// Mode is a way of writing Events. [WithMode] sets the mode of an adapter. In a [Snapshot] or a
// [NamespaceStatus] a Mode names the API in use, and is never ModeAuto.
type Mode string

// The modes.
const (
	// ModeAuto chooses the API for each write, based on discovery and RBAC. It is the default.
	// While the API server does not serve events.k8s.io/v1, new occurrences are written as in
	// ModeLegacy.
	ModeAuto Mode = "auto"
	// ModeEventsV1 writes series through events.k8s.io/v1.
	ModeEventsV1 Mode = "v1"
	// ModeCoreV1 writes series through core/v1. The stored objects are the same as in ModeEventsV1.
	ModeCoreV1 Mode = "core"
	// ModeLegacy passes the occurrences to client-go's correlator, and writes the Events that the
	// correlator makes through core/v1, as package legacy does.
	ModeLegacy Mode = "legacy"
)

// Environment is the name of the environment variable that overrides [WithMode]. If its value is
// not a valid mode, the adapter logs an error and uses the mode set with WithMode.
const Environment = "EVENTSERIES_API"

// Option is an option of an [Adapter], a clusters.Set or a recordevents.Broadcaster. The options of
// packages events and legacy are Options, too. Start returns an error if an option is invalid.
//
// The context passed to [New] or [NewForConfig] overrides the one passed to legacy.WithContext.
type Option interface{ options.Adapter }

// config is the configuration of an adapter, including that of its engine.
type config struct {
	options.Config
	mode Mode
	// selector is the text of a valid selector.
	selector string
	// environment lists the environment variables that are in effect, in the form "NAME=value".
	environment []string
}

// WithMode sets the mode, which is ModeAuto by default. The environment variable EVENTSERIES_API
// overrides it.
func WithMode(mode Mode) Option {
	text := string(mode)
	return options.ForAdapter(func(c *options.Config) { c.Mode = &text }, "WithMode", text)
}

// WithSink replaces the sink that series are written to. wrap is called with the adapter's own
// sink, which chooses the API for each write, and returns the sink to use. For example,
// sinks.Tee(api, other) writes the Events to another sink as well, and sinks.Filter(api, want)
// writes only some of them.
//
// wrap is called once for each adapter, and must not return nil. If the option is passed several
// times, each wrap is called with the result of the previous wrap, so the sink of the last wrap is
// the outermost.
//
// In ModeLegacy, and while the API server does not serve events.k8s.io/v1, client-go's correlator
// makes the Events. These Events are not passed to the sink that wrap returns.
func WithSink(wrap func(api events.Sink) events.Sink) Option {
	return options.ForAdapter(func(c *options.Config) {
		c.Sinks = append(c.Sinks, func(sink series.Sink) series.Sink { return wrap(sink) })
	}, "WithSink")
}

// newConfig returns the configuration that results from opts and the environment variables. Its
// context is ctx, unless an option sets another one.
func newConfig[O options.Adapter](ctx context.Context, opts []O) config {
	return complete(options.Apply(ctx, opts))
}

// complete returns the configuration of an adapter for the applied options. It parses the values of
// WithMode and WithSelector and those of the environment variables, which override the two options.
func complete(applied options.Config) config {
	c := config{Config: applied, mode: ModeAuto}
	c.fromOption("WithMode", c.Mode, c.setMode)
	c.fromOption("WithSelector", c.Selector, c.setSelector)
	c.fromEnvironment(Environment, c.setMode)
	c.fromEnvironment(EnvironmentSelector, c.selectByEnvironment)
	return c
}

// fromOption calls parse with the text of an option. It does nothing if text is nil, which means
// that the option is not set. If parse fails, Start will return the error.
func (c *config) fromOption(name string, text *string, parse func(text string) error) {
	if text == nil {
		return
	}
	if err := parse(*text); err != nil {
		c.Errs = append(c.Errs, fmt.Errorf("adapter: %s: %w", name, err))
	}
}

// fromEnvironment calls parse with the value of an environment variable, unless the value is empty.
// If parse fails, it only logs the error, because an operator's typo must not stop the component or
// its Events.
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

// setMode sets the mode. If text is not a valid mode, it returns an error and changes nothing.
func (c *config) setMode(text string) error {
	switch mode := Mode(text); mode {
	case ModeAuto, ModeEventsV1, ModeCoreV1, ModeLegacy:
		c.mode = mode
		return nil
	}
	return fmt.Errorf("mode %q, want auto, v1, core or legacy", text)
}

// permission returns the permission that access contains for the API of m, which is core/v1 for
// every mode except ModeEventsV1.
func (m Mode) permission(access discovery.Access) discovery.Permission {
	if m == ModeEventsV1 {
		return access.EventsV1
	}
	return access.CoreV1
}

// other returns ModeEventsV1 if m is ModeCoreV1, and ModeCoreV1 if m is ModeEventsV1. A write can
// be sent through either of them, because an Event is the same object in both APIs.
func (m Mode) other() Mode {
	if m == ModeCoreV1 {
		return ModeEventsV1
	}
	return ModeCoreV1
}
