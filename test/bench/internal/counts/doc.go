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

// The titles of the scenes' sections.
const (
	StormTitle     = "A scheduling storm"
	CrashLoopTitle = "A crash-looping node"
)

// RunStorm plays the storm in full size. It calls progress before each contender.
func RunStorm(progress Progress) report.Section {
	return storm(world.Simulate, Storm{Pods: 10_000, Duration: hour}, progress)
}

// RunCrashLoop plays the node's day in full size, as RunStorm does.
func RunCrashLoop(progress Progress) report.Section {
	return crashLoop(world.Simulate, CrashLoop{Pods: 110, Duration: 24 * hour}, progress)
}

// Progress hears what begins, and how many others are done.
type Progress func(done, of int, what string)
