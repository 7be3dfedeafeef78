// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

// dayResult is what a child process says of one contender's day.
type dayResult struct {
	Contender string
	Config    load.Config
	Totals    world.Totals
	Firsts    firsts           // of each Event's first occurrence
	Warnings  firsts           // the same of Warnings
	All       delays           // of every occurrence that was shown
	Seconds   []world.Second   // requests, of the span and of the time to finish after it
	Alive     []int            // Events stored, every minute
	Central   []component      // what runs once
	Said      map[string]int64 // by type and reason
	// Goroutines of the whole process, every minute; nearly all are the components'.
	Goroutines []int
	Dropped    map[string]int64 // by the SDK's own account
	Observed   int64            // the same
	Recorded   int64            // the same
	CPU        time.Duration    // of the process, the model's and the server's included
}

// delays is what the page says of a histogram.
type delays struct {
	Count              int64
	Median, P99, Worst time.Duration
}

func summary(d world.Delays) delays {
	return delays{d.Count(), d.Quantile(0.5), d.Quantile(0.99), d.Max()}
}

// The demands: how soon 99 of 100 first occurrences are to be stored of those that the
// clients can send by then.
const (
	warningsWithin = 10 * time.Second
	allWithin      = 30 * time.Second
)

// firsts is what the page says of first occurrences.
type firsts struct{ Took, Ideal, InTime delays }

func firstsOf(f *world.Firsts) firsts {
	return firsts{summary(f.Took), summary(f.Ideal), summary(f.InTime)}
}

type component struct {
	Name   string
	Totals world.Totals
}

func (r *dayResult) count(api *world.API, components []*world.Component) {
	r.Totals = api.Totals()
	r.All = summary(api.Delays())
	r.Firsts, r.Warnings = firstsOf(api.Firsts(false, allWithin)), firstsOf(api.Firsts(true, warningsWithin))
	r.Seconds = api.Seconds()
	for _, c := range components[r.Config.Nodes:] {
		r.Central = append(r.Central, component{c.Controller, c.Totals()})
	}
	r.CPU = cpuTime()
	r.Dropped = map[string]int64{}
	for _, c := range components {
		stats, _ := c.Stats()
		r.Observed += stats.Observed
		r.Recorded += stats.Recorded
		for reason, n := range stats.Dropped {
			r.Dropped[string(reason)] += n
		}
	}
}

// rates are the requests per second within the span, sorted.
func (r *dayResult) rates() []int {
	span := int(r.Config.Span / time.Second)
	rates := make([]int, span)
	for i, s := range r.Seconds[:min(span, len(r.Seconds))] {
		rates[i] = int(s.Creates + s.Patches)
	}
	slices.Sort(rates)
	return rates
}

// perSecond is the mean of the span, its 99th percentile second and its busiest.
func (r *dayResult) perSecond() (mean float64, p99, peak int) {
	rates := r.rates()
	sum := 0
	for _, n := range rates {
		sum += n
	}
	return float64(sum) / float64(len(rates)), rates[(len(rates)*99+99)/100-1], rates[len(rates)-1]
}

// drops are the reasons by which the SDK dropped something.
func (r *dayResult) drops() []string {
	var some []string
	for _, reason := range slices.Sorted(maps.Keys(r.Dropped)) {
		if r.Dropped[reason] > 0 {
			some = append(some, reason)
		}
	}
	return some
}
