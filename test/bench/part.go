// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"

	"github.com/eventseries/eventseries/test/bench/internal/counts"
	"github.com/eventseries/eventseries/test/bench/internal/realapi"
	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// part is a section of the page. Each is measured, kept and resumed by itself.
type part struct {
	title string
	group string                              // of scenarios, if it is made of samples
	table func(sample.Samples) report.Section // what is made of them
	few   bool                                // rounds are enough

	picture *picture // nil for none
	whole   func(context.Context, *bench, step) (report.Section, error)
}

// picture is a chart of a part's own.
type picture struct {
	file string
	draw func(sample.Samples) ([]byte, error)
}

// step hears what a measurement begins with, and how many others are done.
type step func(done, of int, what string)

// parts lists the page's sections in their order.
func parts() []part {
	all := tabled()
	for _, title := range []string{realapi.Creates, realapi.Drain} {
		all = append(all, part{
			title: title,
			whole: func(ctx context.Context, b *bench, s step) (report.Section, error) {
				return realapi.Run(ctx, title, realapi.Options{Rounds: min(b.rounds, realRounds), Progress: s})
			},
		})
	}
	simulated := func(title string, run func(counts.Progress) report.Section) part {
		return part{title: title, whole: func(_ context.Context, _ *bench, s step) (report.Section, error) {
			return run(counts.Progress(s)), nil
		}}
	}
	return append(all,
		simulated(counts.StormTitle, counts.RunStorm), simulated(counts.CrashLoopTitle, counts.RunCrashLoop),
		simulated(counts.HotTitle, counts.RunHot))
}

// fewRounds are enough where a median is not compared with a close bound.
const fewRounds = 3

// realRounds are enough where a round takes a minute.
const realRounds = 7

// tabled lists the parts that are made of samples.
func tabled() (all []part) {
	for _, p := range []part{
		{group: "Repeat/", table: repeats}, {group: "Distinct", table: distinct}, {group: "Pair/", table: pairs},
		{group: "Memory", table: memory}, {group: "Backlog", table: goroutines}, {group: "Logging", table: logging},
		{group: sample.PathPrefix, table: everyPath},
	} {
		p.title = p.table(nil).Title
		all = append(all, p)
	}
	for _, g := range growths() {
		all = append(all, part{
			title: g.title, group: g.group, table: g.section, picture: &picture{g.chart, g.picture}, few: true,
		})
	}
	return all
}

// selected are the parts that the flags ask for. What is left out of a part can be left
// out only of samples.
func (o *options) selected() []part {
	return slices.DeleteFunc(parts(), func(p part) bool {
		return !o.sections.MatchString(p.title) || o.bench.partial() && !o.bench.hasSamples(&p)
	})
}

// hasSamples reports whether anything of a part is to be sampled.
func (b *bench) hasSamples(p *part) bool {
	r := b.roundsOf(p)
	return p.table != nil && len(r.Plan()) > 0
}
