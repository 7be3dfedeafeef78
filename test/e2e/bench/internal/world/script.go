// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"container/heap"
	"time"
)

// Script says what happens when. One goroutine plays it.
type Script struct{ acts acts }

// Act does something and says when it wants to go on; the zero time is never.
type Act func(now time.Time) (next time.Time)

// Add plans an act.
func (s *Script) Add(at time.Time, act Act) { heap.Push(&s.acts, planned{at, act}) }

// Play does what is planned before until, each at its time, and waits until then.
func (s *Script) Play(until time.Time) {
	for len(s.acts) > 0 && s.acts[0].at.Before(until) {
		next := &s.acts[0]
		time.Sleep(time.Until(next.at))
		at, act := next.at, next.act
		// The act may plan others, so its place in the heap is free while it acts.
		heap.Pop(&s.acts)
		if again := act(at); !again.IsZero() {
			s.Add(again, act)
		}
	}
	time.Sleep(time.Until(until))
}

type planned struct {
	at  time.Time
	act Act
}

// acts is a heap, the earliest first.
type acts []planned

func (a acts) Len() int           { return len(a) }
func (a acts) Less(i, j int) bool { return a[i].at.Before(a[j].at) }
func (a acts) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *acts) Push(act any)      { *a = append(*a, act.(planned)) }

func (a *acts) Pop() any {
	old := *a
	last := old[len(old)-1]
	old[len(old)-1] = planned{}
	*a = old[:len(old)-1]
	return last
}
