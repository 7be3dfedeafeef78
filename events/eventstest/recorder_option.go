// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import "github.com/eventseries/eventseries/internal/options"

type recorderConfig struct{ controller string }

// WithReportingController sets the reporting controller of a [Recorder], "eventstest" by default. The reporting
// instance is the controller and "-0".
func WithReportingController(name string) options.Option {
	return options.For(func(c *recorderConfig) { c.controller = name })
}
