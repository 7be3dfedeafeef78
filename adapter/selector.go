// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"github.com/eventseries/eventseries/internal/options"
	"github.com/eventseries/eventseries/internal/selector"
)

// EnvironmentSelector is the name of the environment variable that overrides [WithSelector]. If its
// value is not a valid selector, the adapter logs an error and uses the selector set with
// WithSelector.
const EnvironmentSelector = "EVENTSERIES_SELECTOR"

// WithSelector sets which occurrences are written, as [Adapter.SetSelector] does. By default all
// occurrences are written. The environment variable EVENTSERIES_SELECTOR overrides this option.
func WithSelector(selector string) Option {
	return options.ForAdapter(func(c *options.Config) { c.Selector = &selector }, "WithSelector", selector)
}

// setSelector sets the selector. If text is not a valid selector, it returns an error and changes
// nothing.
func (c *config) setSelector(text string) error {
	_, err := selector.Parse(text)
	if err == nil {
		c.selector = text
	}
	return err
}

// selectByEnvironment calls setSelector with the value of the environment variable, and logs the
// selector. Without this log line, nothing in the code or the log would explain why Events are
// missing.
func (c *config) selectByEnvironment(text string) error {
	if err := c.setSelector(text); err != nil {
		return err
	}
	c.Logger.Info("An environment variable drops Events that it does not select",
		"variable", EnvironmentSelector, "selector", text)
	return nil
}

// SetSelector sets which of the later occurrences are written, through either API; see
// [events.Broadcaster.SetSelector]. It overrides [WithSelector] and the environment variable. If
// text is invalid, it returns an error and does not change the selector.
func (a *Adapter) SetSelector(text string) error { return a.engine.SetSelector(text) }
