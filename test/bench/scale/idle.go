// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"syscall"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

const (
	settling = 15 * time.Minute // longer than tools/events' 12 minutes to forget a series
	idleFor  = time.Hour
)

// idle is what the broadcasters of a cluster cost that has nothing to say any more. Each has said one thing before.
type idle struct {
	Components int
	CPU        time.Duration // of an hour
	Alive      usage         // of all
}

func measureIdle(j job) *idle {
	before := use()
	api := world.NewAPI(world.Settings{Forgetful: true})
	components := startComponents(api, contenderOf(j.Contender), j.Config, 0, j.Config.Nodes)
	for n, c := range components {
		name := fmt.Sprintf("pod-%d", n)
		occur(c, &load.Emission{
			Regarding: load.Object{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: name, UID: name},
			What:      load.What{Type: "Normal", Reason: "Started", Action: "Starting"}, Note: "Container started",
		})
	}
	time.Sleep(settling)
	began := cpuTime()
	time.Sleep(idleFor)
	result := &idle{Components: len(components), CPU: cpuTime() - began}
	after := use()
	result.Alive = usage{
		Heap: after.Heap - before.Heap, Stacks: after.Stacks - before.Stacks,
		Goroutines: after.Goroutines - before.Goroutines,
	}
	api.Finish() // a bubble ends when all its goroutines have
	return result
}

// cpuTime is what the process has used, of user and system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
