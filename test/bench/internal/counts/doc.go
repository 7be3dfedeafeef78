// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package counts compares how many requests the contenders send to the API
// server, and what it shows of what occurred, in simulated time.
//
// Three scenes are played, each once with every contender: a scheduling storm, a
// crash-looping node and a hot series. What they are made of is in [Storm],
// [CrashLoop] and [Hot]; what is modelled around them, and what is not, in package
// world.
//
// RunStorm, RunCrashLoop and RunHot play them in full size, in any program. Nothing in
// them depends on the machine: a count needs no repetition.
package counts

import (
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/world"
)

// The titles of the scenes' sections.
const (
	StormTitle     = "A scheduling storm"
	CrashLoopTitle = "A crash-looping node"
	HotTitle       = "A hot series"
)

// RunStorm plays the storm in full size. It calls progress before each contender.
func RunStorm(progress Progress) report.Section {
	return storm(world.Simulate, Storm{Pods: 10_000, Duration: hour}, progress)
}

// RunCrashLoop plays the node's day in full size, as RunStorm does.
func RunCrashLoop(progress Progress) report.Section {
	return crashLoop(world.Simulate, CrashLoop{Pods: 110, Duration: 24 * hour}, progress)
}

// RunHot plays the hot series' hour, as RunStorm does.
func RunHot(progress Progress) report.Section {
	return hot(world.Simulate, Hot{Every: 10 * time.Millisecond, Duration: hour}, progress)
}

// Progress hears what begins, and how many others are done.
type Progress func(done, of int, what string)
