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

// While the registry is down the pulls get rarer, down to one in five minutes, and kubelet says why it waits every 10
// to 15 seconds; when the registry is back the next pull is the last.
// Caught: a back-off that does not double, one that begins anew, and looks at the pod only when a pull is due.
func TestPullBacksOff(t *testing.T) {
	c := New(Config{Nodes: 3, PodsPerNode: 10, Span: 6 * time.Hour, Bad: true})
	c.queue = nil // nothing else goes on
	down, up := c.share(RegistryFrom), c.share(RegistryTo)
	c.now = down
	c.start(c.newPod(1), true, nil)

	var pulls, looks []time.Duration
	ready := false
	for e, ok := c.Next(); ok; e, ok = c.Next() {
		switch e.What {
		case pulling:
			pulls = append(pulls, e.At)
		case failedStart:
			looks = append(looks, e.At)
		case started:
			ready = true
			if e.At < up || e.At > up+BackOffMax+time.Minute {
				t.Errorf("started at %v, the registry was back at %v", e.At, up)
			}
		}
	}
	if !ready {
		t.Error("never started")
	}
	for i := 1; i < len(pulls)-1; i++ {
		backOff := min(BackOffBase<<min(i-1, 5), BackOffMax)
		if d := pulls[i] - pulls[i-1]; d < backOff || d > backOff+PullTakes+2*ImageSync {
			t.Errorf("pull %d is %v after the one before, want %v and a look at the pod", i, d, backOff)
		}
	}
	for i := 1; i < len(looks); i++ {
		if d := looks[i] - looks[i-1]; d < ImageSync-PullTakes || d > ImageSync*3/2+PullTakes+StartDelay {
			t.Errorf("look %d is %v after the one before", i, d)
		}
	}
}
