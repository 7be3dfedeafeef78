// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

const (
	cpuPerCall  = "CPU ns/call"
	heapPerCall = "B/call"
	allocs      = "allocs/call"
)

func repeats(all sample.Samples) report.Section {
	s := report.Section{
		Title: "A repeat of a known series",
		Text: "One goroutine records the same event about one pod again and again, or about 8,192 pods in turn. " +
			"The arguments are two constants, a number and a `fmt.Stringer`, which counts how often it is " +
			"asked. *floor* reads the object's metadata, looks its key up under a lock, and reads the clock.",
		After: "The peers get pauses after every 800 calls, which are not charged to them, so that their queues " +
			"of 1000 empty; in a flood they would drop instead. tools/record writes a PATCH for each repeat " +
			"until its spam filter stops it after 25, and computes that PATCH also afterwards.",
	}
	for _, of := range []struct {
		scenario, what string
		demanded       bool
	}{
		{"Repeat/series=1/args=no", "one series, no args", true},
		{"Repeat/series=1/args=yes", "one series, args", true},
		{"Repeat/series=8192/args=no", "8,192 series, no args", false},
	} {
		s.Rows = slices.Concat(s.Rows,
			all.Rows(of.scenario, "cpu-ns/op", of.what, cpuPerCall),
			all.Rows(of.scenario, "B/op", of.what, heapPerCall),
			all.Rows(of.scenario, "allocs/op", of.what, allocs))
		if !of.demanded {
			continue
		}
		s.Rows.Demand(of.what, cpuPerCall, report.ToolsEvents, report.Less(15))
		s.Rows.Demand(of.what, cpuPerCall, report.Floor, report.AtMost(1.3))
		s.Rows.Demand(of.what, heapPerCall, report.Empty, report.AtMost(1))
		s.Rows.Demand(of.what, allocs, report.Empty, report.AtMost(1))
	}
	const formatted = "formatted notes/call"
	s.Rows = append(s.Rows, all.Rows("Repeat/series=1/args=yes", "formatted/op", "one series, args", formatted)...)
	s.Rows.Demand("one series, args", formatted, report.SDK, report.Max(0))
	return s
}

func distinct(all sample.Samples) report.Section {
	const scenario, what, cpu, share = "Distinct", "100,000 different events", "CPU ns/delivered event", "% delivered"
	s := report.Section{
		Title: "Different events",
		Text: "One goroutine records 100,000 events about as many pods as fast as it can, to a sink in memory " +
			"that takes no time.",
		After: "tools/events drops silently what its watch queue of 1000 cannot take; tools/record drops when its " +
			"queue of 1000 is full. The SDK has no such queue: `WithMaxSeries` bounds it.",
		Rows: slices.Concat(
			all.Rows(scenario, "cpu-ns/delivered", what, cpu), all.Rows(scenario, "%delivered", what, share),
			all.Rows(scenario, "B/op", what, heapPerCall), all.Rows(scenario, "allocs/op", what, allocs)),
	}
	s.Rows.Demand(what, cpu, report.ToolsEvents, report.Less(3))
	s.Rows.Demand(what, cpu, report.ToolsRecord, report.Less(3))
	s.Rows.Demand(what, share, report.SDK, report.Min(100))
	return s
}

func pairs(all sample.Samples) report.Section {
	const different, same = "two goroutines, different objects", "two goroutines, the same object"
	const speedup, call = "× the rate of one", "ns/call"
	s := report.Section{
		Title: "Two goroutines",
		Text: "How many times as many repeats two goroutines record as one does in the same time, and how long a " +
			"call takes. *empty call* shows what the machine allows, *floor* what a single lock allows.",
		After: "The peers' calls return before the work is done, and leave a backlog.",
	}
	for _, of := range []struct{ scenario, what string }{
		{"Pair/objects=different", different}, {"Pair/objects=same", same},
	} {
		s.Rows = slices.Concat(s.Rows,
			all.Rows(of.scenario, "speedup", of.what, speedup), all.Rows(of.scenario, "together-ns/op", of.what, call))
	}
	s.Rows.Demand(different, speedup, report.Empty, report.MinOrAtLeast(1.7, 0.95))
	s.Rows.Demand(same, speedup, report.SDK, report.Min(1))
	return s
}

func memory(all sample.Samples) report.Section {
	const what, unit = "100,000 open series", "B of heap/series"
	s := report.Section{
		Title: "Memory",
		Text: "Heap for each open series of two occurrences, after the garbage collector has run and the caller " +
			"has dropped the pods.",
		After: "tools/record keeps no series, only the counts of the last 4,096 events; its row is for these. " +
			"Stacks are not counted.",
		Rows: slices.Concat(
			all.Rows("Memory", "heap-B/series", what, unit), all.Rows("Memory", "%open", what, "% of them open")),
	}
	s.Rows.Demand(what, unit, report.ToolsEvents, report.AtMost(0.6))
	s.Rows.Demand(what, unit, report.SDK, report.Max(480))
	s.Rows.Demand(what, "% of them open", report.SDK, report.Min(100))
	return s
}

func goroutines(all sample.Samples) report.Section {
	const what = "100,000 different events, 50 ms a write"
	const total, more = "goroutines at the peak", "more than before the burst"
	s := report.Section{
		Title: "Goroutines",
		Text:  "The burst of different events again, to a sink that takes 50 ms for a write.",
		After: "tools/events writes all at once, as fast as a rate limiter lets it, and tools/record one after the other. The " +
			"SDK's writes have a goroutine each, 64 at a time at most; how many there are grows with each round of answers.",
		Rows: slices.Concat(
			all.Rows("Backlog", "goroutines", what, total), all.Rows("Backlog", "more-goroutines", what, more)),
	}
	s.Rows.Demand(what, total, report.SDK, report.Max(72))
	return s
}

func logging(all sample.Samples) report.Section {
	const what, unit, share = "a repeat that is logged", "CPU ns/line", "% logged"
	const doublings = "a repeat, the SDK under WithLogDoublings"
	s := report.Section{
		Title: "With a log watcher",
		Text: "A repeat of one series, with arguments, while `StartLogging` writes every occurrence through " +
			"klog's textlogger to nowhere; and again while the SDK logs the 1st, 2nd, 4th, 8th, … occurrence.",
		After: "Of a line most is the logger's own work. By default the SDK writes one for each occurrence as " +
			"client-go does, because whoever migrates may search for them; `WithLogDoublings` is for hot loops.",
		Rows: slices.Concat(
			all.Rows("Logging", "cpu-ns/line", what, unit), all.Rows("Logging", "%logged", what, share),
			all.Rows("Logging", "B/op", what, heapPerCall), all.Rows("Logging", "allocs/op", what, allocs),
			all.Rows("Logging/doublings", "cpu-ns/op", doublings, cpuPerCall)),
	}
	s.Rows.Demand(doublings, cpuPerCall, report.ToolsEvents, report.Less(2))
	s.Rows.Demand(what, share, report.SDK, report.Min(100))
	return s
}
