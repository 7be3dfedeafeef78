// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// emitter is one goroutine of the storm.
type emitter struct {
	storm  *Storm
	number int
	random *rand.Rand

	step  subject // the last that was new
	steps int     // how many there were
	left  int     // how often it comes again
}

// subject is the object and the reason of an occurrence.
type subject struct {
	object            Object
	eventType, reason string
}

func (e *emitter) run() {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-e.storm.stop:
			return
		case <-ticker.C:
		}
		var keys [burst]Key
		for i := range keys {
			keys[i] = e.record(e.choose())
		}
		e.storm.count(keys[:])
	}
}

func (e *emitter) record(s subject) Key {
	e.storm.recorder.Eventf(s.object, nil, s.eventType, s.reason, "Do"+s.reason, "%s of %s", s.reason, s.object.GetName())
	return Key{Namespace: s.object.GetNamespace(), Name: s.object.GetName(), Type: s.eventType, Reason: s.reason}
}

// choose returns mostly one of a few reasons that are hot, sometimes one of many,
// and now and then one that never was before, a few times on end: its Create is
// under way when it comes again.
func (e *emitter) choose() subject {
	s := subject{object: e.storm.any(e.random), eventType: corev1.EventTypeNormal}
	switch n := e.random.IntN(100); {
	case n < 70:
		s.reason = hot[e.random.IntN(len(hot))]
	case n < 93:
		s.reason = fmt.Sprintf("Probe%d", e.random.IntN(20))
	default:
		if e.left == 0 {
			e.steps++
			s.reason = fmt.Sprintf("Step%d-%d", e.number, e.steps)
			e.step, e.left = s, 5
		}
		e.left--
		return e.step
	}
	if s.reason == "BackOff" || s.reason == "Unhealthy" || e.random.IntN(5) == 0 {
		s.eventType = corev1.EventTypeWarning
	}
	return s
}
