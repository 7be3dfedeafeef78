// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"fmt"
	"os"

	"github.com/eventseries/eventseries/internal/selector"
)

// EnvironmentSelector is the variable by which an operator overrides [WithSelector]. A
// value that is no selector is logged and ignored.
const EnvironmentSelector = "EVENTSERIES_SELECTOR"

// WithSelector mutes what it does not select, as [Adapter.SetSelector] does. Everything
// is selected by default. The environment variable EVENTSERIES_SELECTOR wins over it.
func WithSelector(selector string) Option {
	return set(func(c *config) { c.selector = selector }, "WithSelector", selector)
}

// chooseSelector takes the operator's selector, if that is one.
func (c *config) chooseSelector() (err error) {
	if _, err = selector.Parse(c.selector); err != nil {
		err, c.selector = fmt.Errorf("adapter: WithSelector: %w", err), ""
	}
	value := os.Getenv(EnvironmentSelector)
	if _, invalid := selector.Parse(value); invalid != nil {
		c.Logger.Error(invalid, "EVENTSERIES_SELECTOR is ignored: correct it in the component's environment",
			"advice", "selector",
			"selector", c.selector)
	} else if value != "" {
		c.selector = value
	}
	return err
}

// SetSelector is that of [events.Broadcaster], for all that is recorded through the
// adapter, whichever API takes it. It replaces what the environment or WithSelector said.
func (a *Adapter) SetSelector(text string) error { return a.engine.SetSelector(text) }
