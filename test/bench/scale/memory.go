// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

const (
	measuredKubelets = 300 // of the cluster: enough for a mean
	memorySampling   = 5 * time.Minute
)

// memory is what the components of one kind hold while a bad day goes by. The server keeps nothing, and the model's own
// memory is known from a control without components.
type memory struct {
	Components int
	Samples    []usage // every five minutes
}

type usage struct {
	Heap, Stacks uint64 // bytes that are alive, bytes of stacks
	Goroutines   int
}

// measureMemory lets the day pass for some of the components.
func measureMemory(j job, say sayer) *memory {
	first, end := 0, min(measuredKubelets, j.Config.Nodes)
	if j.Kind == "scheduler" {
		first, end = j.Config.Nodes+load.Scheduler, j.Config.Nodes+load.Scheduler+1
	}
	api := world.NewAPI(world.Settings{Forgetful: true})
	m := &memory{Components: end - first}
	var components []*world.Component
	if j.Contender != "" {
		components = startComponents(api, contenderOf(j.Contender), j.Config, first, end)
	}
	cluster, sample := load.New(j.Config), memorySampling
	until := func(at time.Duration) { time.Sleep(time.Until(api.Began().Add(at))) }
	for e, ok := cluster.Next(); ok; e, ok = cluster.Next() {
		for ; sample <= e.At; sample += memorySampling {
			until(sample)
			m.Samples = append(m.Samples, use())
		}
		if components != nil && e.Component >= first && e.Component < end {
			until(e.At)
			occur(components[e.Component-first], &e)
		}
	}
	api.Finish() // a bubble ends when all its goroutines have
	say("%d samples", len(m.Samples))
	return m
}

// use collects all garbage first.
func use() usage {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return usage{Heap: s.HeapAlloc, Stacks: s.StackInuse, Goroutines: runtime.NumGoroutine()}
}

// each is what one component holds more than the control, at its most until a time.
func (m *memory) each(control *memory, until time.Duration) (heap, stacks, goroutines float64) {
	n := float64(m.Components)
	for i, u := range m.Samples[:min(len(m.Samples), int(until/memorySampling))] {
		c := control.Samples[min(i, len(control.Samples)-1)]
		heap = max(heap, (float64(u.Heap)-float64(c.Heap))/n)
		stacks = max(stacks, (float64(u.Stacks)-float64(c.Stacks))/n)
		goroutines = max(goroutines, float64(u.Goroutines-c.Goroutines)/n)
	}
	return heap, stacks, goroutines
}
