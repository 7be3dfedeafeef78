// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import "time"

// defaultTimeout is shorter than the 30 s that a write may take by default,
// because a caller may have to ask before it can try that write again. The server
// answers every question here from memory, in milliseconds.
const defaultTimeout = 10 * time.Second

// An Option configures a [Prober].
type Option func(*Prober)

// WithTimeout bounds each call of Probe and of Access, all its requests together.
// The default, and what 0 means, is 10 s; negative means that only the caller's
// context bounds the call. Whichever of the two ends first counts.
func WithTimeout(d time.Duration) Option {
	return func(p *Prober) { p.timeout = d }
}
