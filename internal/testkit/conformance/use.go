// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

func concurrentUse(c *trial) {
	var all sync.WaitGroup
	for range 8 { // twice the workers of a broadcaster
		all.Go(func() {
			event := c.event()
			a := c.create(event)
			if a.filtered() {
				return
			}
			if a.exists() || !a.succeeds() {
				c.fail("with other calls under way, %s", a)
				return
			}
			event = counted(event, 2)
			if a = c.patch(event, seriesPatch(event, a.version(), nil)); !a.succeeds() {
				c.fail("with other calls under way, %s", a)
			}
			c.checkStored("after other calls at the same time", event)
		})
	}
	all.Wait()
}

func secondEvent(c *trial) {
	first, second := c.event(), c.event()
	second.Regarding = first.Regarding
	c.mustCreate(first)
	switch a := c.create(second); {
	case a.exists():
		c.fail("%s, though only another name has an event about the same", a)
	case !a.succeeds() && !a.filtered():
		c.fail("%s, as the second event about the same", a)
	}
	c.checkStored("after another one about the same", first)
}

// flushTimeout is how long it may take until everything that was recorded is written.
const flushTimeout = 30 * time.Second

// What is recorded, twice: every emitter records about every pod in every round.
const (
	emitters = 4
	pods     = 4
	rounds   = 8
	once     = emitters * pods * rounds
)

// broadcaster runs a component that records events, from start to stop.
func broadcaster(c *trial) {
	c.t.Helper()
	b := events.NewBroadcaster(c.sink, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.WithoutCancel(c.ctx)); err != nil {
		c.fatal("the broadcaster does not start: %v", err)
	}
	defer b.Shutdown()
	recorder := b.NewRecorder(nil, "example.com/conformance").(*events.Recorder)
	ctx, cancel := context.WithTimeout(c.ctx, flushTimeout)
	defer cancel()

	c.emit(recorder)
	if err := b.Flush(ctx); err != nil {
		c.fatal("after %v, %v", flushTimeout, err)
	}
	c.checkStats("Flush", once, b.Stats())
	c.emit(recorder)
	if err := b.Drain(ctx); err != nil {
		c.fatal("after %v, %v", flushTimeout, err)
	}
	c.checkStats("Drain", 2*once, b.Stats())
}

func (c *trial) emit(recorder *events.Recorder) {
	var all sync.WaitGroup
	for emitter := range emitters {
		all.Go(func() {
			for n := range pods * rounds {
				pod := &corev1.ObjectReference{
					APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: fmt.Sprintf("%s-%d", c.names, n%pods),
				}
				recorder.AnnotatedEventf(pod, nil, map[string]string{"example.com/emitter": fmt.Sprint(emitter)},
					corev1.EventTypeNormal, "Stopping", "Stop", "time %d", n/pods)
			}
		})
	}
	all.Wait()
}

// checkStats checks the broadcaster's Stats.
func (c *trial) checkStats(after string, want int64, s events.Stats) {
	c.t.Helper()
	if s.Observed != want || s.Recorded+s.Dropped[events.Filtered] != want {
		maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
		c.fail("after %s, %d of %d occurrences are recorded, %d pending, and dropped are %v",
			after, s.Recorded, want, s.Pending, s.Dropped)
	}
}
