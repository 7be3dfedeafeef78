// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package counts compares how many requests the contenders send to the API
// server, and what it shows of what occurred, in simulated time.
//
// Two scenes are played, each once with every contender: a scheduling storm and a
// crash-looping node. What they are made of is in [Storm] and [CrashLoop]; what is
// modelled around them, and what is not, in package world.
//
// [Run] plays both in full size, in any program. Nothing in them depends on the
// machine: a count needs no repetition.
package counts

import (
	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// Run plays both scenes in full size.
func Run() []report.Section {
	return []report.Section{
		storm(world.Simulate, Storm{Pods: 10_000, Duration: hour}),
		crashLoop(world.Simulate, CrashLoop{Pods: 110, Duration: 24 * hour}),
	}
}
