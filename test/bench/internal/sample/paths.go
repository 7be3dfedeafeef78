// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// PathPrefix begins the names of the scenarios that each take one path.
const PathPrefix = "Path/way="

// paths record through everything that a user may record through: repeats of a known
// series, then first occurrences.
func paths() (all []Scenario) {
	for _, p := range contender.Paths() {
		sc := Scenario{
			Name: PathPrefix + named.Replace(p.Name), Contenders: []string{report.SDK},
			config: p.Config, ops: opsOfPaths, run: runPath,
		}
		if p.Peer != "" {
			sc.Contenders = append(sc.Contenders, p.Peer)
		}
		all = append(all, sc)
	}
	return all
}

func opsOfPaths(string) int { return 200_000 }

const (
	slower       = 20 // times fewer repeats where they need pauses
	firsts       = 20 // repeats for each first occurrence
	slowerFirsts = 5  // the same with pauses
)

func runPath(c *contender.Contender, ops int, s *Sample) {
	fresh := ops / firsts
	if c.Background {
		ops = max(1, ops/slower)
		fresh = ops / slowerFirsts
	}
	known, pods := newPod(-1), newPods(max(1, fresh))
	repeatOne := func(int) { fail(c.Recorder, known) }
	warmUp(c, ops/10+2, repeatOne)
	got := measure(c, func(p *pauses) { repeat(c, p, ops, repeatOne) })
	s.addCost(&got, ops)
	first := measure(c, func(p *pauses) { repeat(c, p, len(pods), func(i int) { fail(c.Recorder, pods[i]) }) })
	s.add(float64(first.cpu)/float64(len(pods)), "cpu-ns/first")
}
