// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// each is how many objects a goroutine has where objects differ.
const each = 64

// pairs compare the rate of calls of two goroutines with that of one.
func pairs() []Scenario {
	one, many := newPods(1), newPods(2*each)
	return []Scenario{
		pair("Pair/objects=different", [2][]*corev1.Pod{many[:each], many[each:]}),
		pair("Pair/objects=same", [2][]*corev1.Pod{one, one}),
	}
}

func pair(name string, pods [2][]*corev1.Pod) Scenario {
	return Scenario{
		Name: name, Contenders: contender.Names(),
		ops: opsOfPairs,
		run: func(c *contender.Contender, ops int, s *Sample) { runPair(c, ops, s, pods) },
	}
}

// opsOfPairs makes a slice of a call that does nothing as long as the others': a
// goroutine takes longer to begin than a thousand such calls.
func opsOfPairs(name string) int {
	if name == report.Empty {
		return 100_000_000
	}
	return 2 * opsOfCalls(name)
}

// runPair lets one goroutine and two do the same number of calls, by turns, in
// slices so short that both meet the same machine. Calls are timed, not what they
// leave to the background: that is the caller's view.
func runPair(c *contender.Contender, ops int, s *Sample, pods [2][]*corev1.Pod) {
	slice := max(2, ops/40)
	if c.Background {
		slice = min(burst, ops)
	}
	work := func(of []*corev1.Pod, n int) {
		for i := range n {
			fail(c.Recorder, of[i%len(of)])
		}
	}
	warmUp(c, 2*slice, func(i int) {
		of := pods[i%2]
		fail(c.Recorder, of[i/2%len(of)])
	})
	p := newPauses(c)
	turn := func(calls func()) float64 {
		start := time.Now()
		calls()
		took := time.Since(start)
		p.pause()
		return float64(took) / float64(slice)
	}
	var alone, together, speedups []float64
	for range max(1, ops/slice/2) {
		a := turn(func() { work(pods[0], slice) })
		b := turn(func() {
			var both sync.WaitGroup
			for _, of := range pods {
				both.Go(func() { work(of, slice/2) })
			}
			both.Wait()
		})
		alone, together, speedups = append(alone, a), append(together, b), append(speedups, a/b)
	}
	s.add(median(speedups), "speedup")
	s.add(median(alone), "alone-ns/op")
	s.add(median(together), "together-ns/op")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
