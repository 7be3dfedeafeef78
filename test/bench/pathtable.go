// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// cpuPerFirst is of an event that was never recorded before.
const cpuPerFirst = "CPU ns/first occurrence"

func everyPath(all sample.Samples) report.Section {
	s := report.Section{
		Title: "Every way to record",
		Text: "A repeat of one series without args, and the first occurrence of others until it is written, through every " +
			"public path and through each option that occurrences pass. *events* is the plain broadcaster. The peer is " +
			"the recorder of client-go that the path takes the place of.",
		After: "`legacy` asks client-go's own correlator about each occurrence. " +
			"An event watcher and `WithOccurrenceHandler` get every occurrence as an object of its own; `NotesDistinct` " +
			"and `NotesLatest` format every note. The collector is read only when it is scraped, see below.",
	}
	for _, p := range contender.Paths() {
		name := sample.PathPrefix + sample.Named(p.Name)
		s.Rows = append(s.Rows, all.Rows(name, "cpu-ns/op", p.Name, cpuPerCall)...)
		s.Rows = append(s.Rows, all.Rows(name, "allocs/op", p.Name, allocs)...)
		s.Rows = append(s.Rows, all.Rows(name, "cpu-ns/first", p.Name, cpuPerFirst)...)
	}
	for _, what := range []string{"adapter, events.k8s.io/v1", "adapter.RecorderFor"} {
		s.Rows.Demand(what, cpuPerCall, report.ToolsEvents, report.Less(15))
	}
	for _, what := range []string{"adapter, core/v1", "legacy.AsLegacy"} {
		s.Rows.Demand(what, cpuPerCall, report.ToolsRecord, report.Less(15))
	}
	for _, what := range []string{
		"adapter, events.k8s.io/v1", "adapter, core/v1", "adapter.RecorderFor", "legacy.AsLegacy", "WithContinuity",
		"WithObjectLimit", "WithLabels", "muted by SetSelector", "the Prometheus collector",
	} {
		s.Rows.Demand(what, allocs, report.SDK, report.Max(0))
	}
	s.Rows.Demand("an event watcher", cpuPerCall, report.ToolsEvents, report.AtMost(1))
	s.Rows.Demand("legacy", cpuPerCall, report.ToolsRecord, report.AtMost(1.6)) // it asks the same correlator, and accounts for it
	s.Rows.Demand("legacy", cpuPerFirst, report.ToolsRecord, report.AtMost(1.6))
	return s
}
