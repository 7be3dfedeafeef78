// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import "testing"

// All figures of the comparison are those of benchmarks.md and scale.md, also where client-go's are better.
//
// Caught: a median of benchmarks.md that was changed by hand.
func TestComparisonQuotesFigures(t *testing.T) {
	const storm, node, server = "a-scheduling-storm", "a-crash-looping-node", "real-kube-apiserver-distinct-events"
	const repeat, distinct = "a-repeat-of-a-known-series", "100,000 different events"
	measures := func(all ...measure) (rows [][]string) {
		rows = [][]string{append([]string{""}, contenders...)}
		for _, m := range all {
			rows = append(rows, m.row(t))
		}
		return rows
	}
	of := func(text, anchor, what, unit string) measure {
		return measure{text: text, page: "benchmarks", anchor: anchor, what: what, unit: unit}
	}
	better := func(m measure) measure { m.more = true; return m }
	shows(t, "evidence/comparison.md", "process", table(measures(
		of("CPU of a repeat, ns", repeat, "one series, no args", "CPU ns/call"),
		of("allocations of a repeat", repeat, "one series, no args", "allocs/call"),
		of("CPU of a repeat that is logged, ns", "with-a-log-watcher", "a repeat that is logged", "CPU ns/line"),
		of("CPU of an Event of its own, ns", "different-events", distinct, "CPU ns/delivered event"),
		better(of("of 100,000 different events, delivered, %", "different-events", distinct,
			"% delivered")),
		of("heap of a series, B", "memory", "100,000 open series", "B of heap/series"),
		of("goroutines in a burst, at the peak", "goroutines", "100,000 different events, 50 ms a write",
			"goroutines at the peak"),
	)...))
	shows(t, "evidence/comparison.md", "server", table(measures(
		better(of("creates on a real kube-apiserver, a second", server, "creates", "writes/s")),
		better(of("of 3000 creates, delivered, %", server, "creates delivered", "%")),
		of("10,000 pods fit nowhere for an hour: writes", storm, "API writes", "writes"),
		better(of("… series whose count is right in the end, %", storm,
			"series whose count is exact in the end", "%")),
		of("110 pods crash for a day: writes", node, "API writes", "writes"),
		of("… until a doubled count is shown, at most, s", node,
			"until a doubled count is shown, at most", "s"),
		better(of("… series whose count is right in the end, %", node,
			"series whose count is exact in the end", "%")),
	)...))
	shows(t, "evidence/comparison.md", "cluster", table(measures(clusterMeasures()...)...))
}

// clusterMeasures are those of 5,000 simulated nodes.
func clusterMeasures() (all []measure) {
	for _, day := range []struct{ name, anchor string }{{"normal", "a-normal-day"}, {"bad", "a-bad-day"}} {
		for _, column := range [][2]string{
			{"writes a second, mean", "writes/s: mean"},
			{"writes in the busiest second", "busiest second"},
			{"Warning stored after, median and p99",
				"first occurrence of a Warning until stored: median, p99"},
			{"Event stored after, median and p99", "first occurrence of an Event: median, p99"},
			{"occurrence counted after, median and p99",
				"every occurrence until a count includes it: median, p99"},
			{"occurrences that never arrive", "never arrives"},
			{"goroutines at most", "goroutines at most"},
		} {
			all = append(all, measure{
				text: day.name + ": " + column[0], page: "scale", anchor: day.anchor, unit: column[1],
			})
		}
	}
	for _, column := range []string{"goroutines each", "heap each", "stacks each"} {
		all = append(all, measure{text: "silent: " + column, page: "scale", anchor: "silence", unit: column})
	}
	return all
}
