// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/selector"
)

// EnvironmentSelector is the variable by which an operator overrides [WithSelector]. A
// value that is no selector is logged and ignored.
const EnvironmentSelector = "EVENTSERIES_SELECTOR"

// WithSelector drops what it does not select, as [Adapter.SetSelector] does. Everything
// is selected by default. The environment variable EVENTSERIES_SELECTOR wins over it.
func WithSelector(selector string) Option {
	return options.ForAdapter(func(c *options.Config) { c.Selector = &selector }, "WithSelector", selector)
}

func (c *config) setSelector(text string) error {
	_, err := selector.Parse(text)
	if err == nil {
		c.selector = text
	}
	return err
}

// selectByEnvironment is setSelector for the operator's text. It says so in the log, because who
// looks for an Event that it does not select finds no other trace of it.
func (c *config) selectByEnvironment(text string) error {
	if err := c.setSelector(text); err != nil {
		return err
	}
	c.Logger.Info("An environment variable drops Events that it does not select",
		"variable", EnvironmentSelector, "selector", text)
	return nil
}

// SetSelector is that of [events.Broadcaster], for all that is recorded through the
// adapter, whichever API takes it. It replaces what the environment or WithSelector said.
func (a *Adapter) SetSelector(text string) error { return a.engine.SetSelector(text) }
