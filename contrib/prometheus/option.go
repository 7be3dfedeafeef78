// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom

import "github.com/prometheus/client_golang/prometheus"

// Option changes a [Collector].
type Option func(*config)

type config struct {
	constLabels prometheus.Labels
}

// WithConstLabels adds labels to every metric, which tell several adapters of one process apart: each
// collector of a registry needs other values of the same names. The default is none.
func WithConstLabels(labels prometheus.Labels) Option {
	return func(c *config) { c.constLabels = labels }
}
