// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import "testing"

// All figures of the comparison are those of benchmarks.md and scale.md, also where client-go's are better.
//
// Caught: a median of benchmarks.md that was changed by hand.
func TestComparisonQuotesFigures(t *testing.T) {
	const storm, node, server = "a-scheduling-storm", "a-crash-looping-node", "a-real-kube-apiserver"
	const repeat, right = "a-repeat-of-a-known-series", "series whose count is right in the end, %"
	measures := func(all ...measure) (rows [][]string) {
		rows = [][]string{append([]string{""}, contenders...)}
		for _, m := range all {
			rows = append(rows, m.row(t))
		}
		return rows
	}
	of := func(text, anchor, what string) measure {
		return measure{text: text, page: "benchmarks", anchor: anchor, what: what}
	}
	better := func(m measure) measure { m.more = true; return m }
	shows(t, "evidence/comparison.md", "process", table(measures(
		of("CPU of a repeat, ns", repeat, "CPU ns/call"),
		of("allocations of a repeat", repeat, "allocs/call"),
		of("CPU of a repeat that is logged, ns", "with-a-log-watcher", "CPU ns/logged call"),
		of("CPU of an Event of its own, ns", "different-events", "CPU ns/delivered event"),
		better(of("of 100,000 different events, delivered, %", "different-events", "delivered, %")),
		of("heap of a series, B", "memory", "B of heap/series"),
		of("goroutines in a burst, at the peak", "goroutines", "goroutines at the peak"),
	)...))
	shows(t, "evidence/comparison.md", "server", table(measures(
		better(of("creates on a real kube-apiserver, a second", server, "creates/s")),
		better(of("of 3000 creates, delivered, %", server, "creates delivered, %")),
		of("10,000 pods fit nowhere for an hour: writes", storm, "API writes"),
		better(of("… series whose count is right in the end, %", storm, right)),
		of("110 pods crash for a day: writes", node, "API writes"),
		of("… until a doubled count is shown, at most", node, "longest time until a doubled count is shown"),
		better(of("… series whose count is right in the end, %", node, right)),
	)...))
	shows(t, "evidence/comparison.md", "cluster", table(measures(clusterMeasures()...)...))
}

// clusterMeasures are those of 5,000 simulated nodes.
func clusterMeasures() (all []measure) {
	for _, day := range []struct{ name, anchor string }{{"normal", "a-normal-day"}, {"bad", "a-bad-day"}} {
		for _, row := range [][2]string{
			{"writes a second, mean", "writes a second, mean"},
			{"writes in the busiest second", "writes in the busiest second"},
			{"Warning stored after, median and p99", "first occurrence of a Warning until stored: median, p99"},
			{"Event stored after, median and p99", "first occurrence until stored: median, p99"},
			{"occurrence counted after, median and p99", "every occurrence until counted: median, p99"},
			{"occurrences that never arrive, %", "occurrences that never arrive, %"},
			{"goroutines at most", "goroutines at most"},
		} {
			all = append(all, measure{text: day.name + ": " + row[0], page: "scale", anchor: day.anchor, what: row[1]})
		}
	}
	for _, what := range []string{"goroutines each", "heap each", "stacks each"} {
		all = append(all, measure{text: "silent: " + what, page: "scale", anchor: "silence", what: what})
	}
	return all
}
