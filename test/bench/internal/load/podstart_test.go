// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// alone is a cluster in which nothing goes on.
func alone(c Config) *Cluster {
	cluster := New(c)
	cluster.queue = nil
	return cluster
}

func reasons(c *Cluster, until time.Duration) (said []string) {
	for e, ok := c.Next(); ok && e.At < until; e, ok = c.Next() {
		said = append(said, e.Reason)
	}
	return said
}

// Caught: a second container that is never started, and a pull of what is there.
func TestPodStart(t *testing.T) {
	for _, tc := range []struct {
		name      string
		needsPull bool
		job       bool
		want      []string
	}{
		{"images are there", false, false,
			[]string{"Scheduled", "Pulled", "Created", "Started", "Pulled", "Created", "Started"}},
		{"an image is pulled", true, false,
			[]string{"Scheduled", "Pulling", "Pulled", "Created", "Started", "Pulled", "Created", "Started"}},
		{"a job's", false, true, []string{"Scheduled", "Pulled", "Created", "Started"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := alone(Config{Nodes: 3, PodsPerNode: 10, Span: time.Hour})
			p := c.newPod(1)
			p.job = tc.job
			c.start(p, tc.needsPull, nil)
			if diff := cmp.Diff(tc.want, reasons(c, time.Hour)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// While the registry is down the pulls get rarer, down to one in five minutes, and kubelet says why it waits every 10
// to 15 seconds; when the registry is back the next pull is the last.
// Caught: a back-off that does not double, one that begins anew, and looks at the pod only when a pull is due.
func TestPullBacksOff(t *testing.T) {
	c := alone(Config{Nodes: 3, PodsPerNode: 10, Span: 6 * time.Hour, Bad: true})
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

// Caught: a scheduler that looks at all pods at once.
func TestSchedulerRate(t *testing.T) {
	c := alone(Config{Nodes: 3, PodsPerNode: 10, Span: time.Hour})
	for range 10 * SchedulerRate {
		c.begin(&pending{pod: c.newPod(1)}, 0)
	}
	if n := len(reasons(c, 5*time.Second)); n > 5*SchedulerRate {
		t.Errorf("%d attempts in five seconds", n)
	}
}

// Caught: all nodes of the zone evicted at once.
func TestEvictionRate(t *testing.T) {
	c := Config{Nodes: 300, PodsPerNode: 2, Span: time.Hour, Seed: 1, Bad: true}
	n := 0
	for _, e := range everything(c) {
		if e.What == evicting {
			n++
		}
	}
	from := c.share(ZoneFrom) + NodeGrace + Toleration
	want := int((c.share(ZoneTo)-from)/NodeEvictionEvery) * c.PodsPerNode
	if n < want-c.PodsPerNode || n > want+c.PodsPerNode {
		t.Errorf("%d pods evicted, want about %d", n, want)
	}
}
