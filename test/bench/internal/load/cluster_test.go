// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"slices"
	"testing"
	"time"
)

var small = Config{Nodes: 30, PodsPerNode: 10, Span: time.Hour, Seed: 1, Bad: true}

func everything(c Config) []Emission {
	var all []Emission
	cluster := New(c)
	for e, ok := cluster.Next(); ok; e, ok = cluster.Next() {
		all = append(all, e)
	}
	return all
}

// Caught: a generator seeded with the time.
func TestSameConfigSameEmissions(t *testing.T) {
	first := everything(small)
	if !slices.Equal(first, everything(small)) {
		t.Error("the second time differs")
	}
	other := small
	other.Seed++
	if slices.Equal(first, everything(other)) {
		t.Error("another seed has the same emissions")
	}
}

// client-go's names of Events about one object differ by the nanosecond only.
// Caught: emissions of a step that all have the time of the step.
func TestTimeGoesOn(t *testing.T) {
	last := time.Duration(-1)
	for _, e := range everything(small) {
		if e.At <= last || e.At >= small.Span+time.Second {
			t.Fatalf("%v after %v, of %v", e.At, last, small.Span)
		}
		last = e.At
	}
}

// Caught: a node's events given to the scheduler.
func TestEverybodySaysTheirOwn(t *testing.T) {
	components := small.Components()
	for _, e := range everything(small) {
		kubelet := components[e.Component].Name == "kubelet"
		switch e.What {
		case pulled, created, started, killing, unhealthy, backOffPull, nodeReady:
			if !kubelet {
				t.Fatalf("%s says %+v", components[e.Component].Name, e)
			}
		case scheduled, failedScheduling, podCreated, jobCompleted, evicting, nodeNotReady:
			if kubelet {
				t.Fatalf("kubelet says %+v", e)
			}
		}
	}
}

// The shares that the page tells are the ones that come out.
// Caught: episodes that begin twice as often, and a probe every 5 s.
func TestNormalRates(t *testing.T) {
	c := Config{Nodes: 100, PodsPerNode: 110, Span: 2 * time.Hour, Seed: 1}
	said := map[string]float64{}
	for _, e := range everything(c) {
		said[e.Reason]++
	}
	hours := c.Span.Hours()
	want := map[string]float64{
		"Unhealthy": ShareUnready * float64(c.Pods()) * hours * float64(time.Hour/ProbePeriod),
		"Completed": hours * float64(c.cronJobs()) * (12 + 1),
		"FailedGetResourceMetric": ShareWithoutMetric * ShareAutoscaled * float64(c.Deployments()) * hours *
			float64(time.Hour/AutoscalerSync),
		"SuccessfulRescale": hours / 24 * RescalesPerDay * ShareAutoscaled * float64(c.Deployments()),
		"SuccessfulDelete": hours/24*RolloutsPerDay*float64(c.Deployments())*PodsPerDeployment +
			hours*float64(c.cronJobs())*(12+1),
	}
	for reason, n := range want {
		if got := said[reason]; got < 0.75*n || got > 1.25*n {
			t.Errorf("%s is said %.0f times, want about %.0f", reason, got, n)
		}
	}
}

// Caught: a zone that is cut off on a normal day, and the wrong nodes.
func TestCut(t *testing.T) {
	from, to := small.share(ZoneFrom), small.share(ZoneTo)
	normal := small
	normal.Bad = false
	for _, tc := range []struct {
		config    Config
		component int
		at        time.Duration
		want      bool
	}{
		{small, 3, from, true},
		{small, 3, from - 1, false},
		{small, 3, to, false},
		{small, 4, from, false},
		{small, small.Nodes + Scheduler, from, false},
		{normal, 3, from, false},
	} {
		if got := tc.config.Cut(tc.component, tc.at); got != tc.want {
			t.Errorf("component %d at %v, bad %v: cut is %v", tc.component, tc.at, tc.config.Bad, got)
		}
	}
}
