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

func broadcaster(c *trial) { c.process() }

func secondProcess(c *trial) {
	c.process()
	c.process()
}

// flushTimeout is how long it may take until everything that a process recorded is written.
const flushTimeout = 30 * time.Second

// What one process records, twice: every emitter records about every pod in every round.
const (
	emitters = 4
	pods     = 4
	rounds   = 8
	once     = emitters * pods * rounds
)

// process runs a component that records events, from start to stop.
func (c *trial) process() {
	c.t.Helper()
	w := &recordingSink{sink: c.sink, names: map[string]bool{}}
	b := events.NewBroadcaster(w, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.WithoutCancel(c.ctx)); err != nil {
		c.fatal("the broadcaster does not start: %v", err)
	}
	defer b.Shutdown()
	recorder := b.NewRecorder(nil, "example.com/conformance").(*events.Recorder)
	ctx, cancel := context.WithTimeout(c.ctx, flushTimeout)
	defer cancel()

	c.emit(recorder)
	if err := b.Flush(ctx); err != nil {
		c.fatal("after %v, %v%s", flushTimeout, err, w)
	}
	c.checkStats("Flush", once, b.Stats(), w)
	c.emit(recorder)
	if err := b.Drain(ctx); err != nil {
		c.fatal("after %v, %v%s", flushTimeout, err, w)
	}
	c.checkStats("Drain", 2*once, b.Stats(), w)
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
func (c *trial) checkStats(after string, want int64, s events.Stats, w *recordingSink) {
	c.t.Helper()
	if s.Observed != want || s.Recorded+s.Dropped[events.Filtered] != want {
		maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
		c.fail("after %s, %d of %d occurrences are recorded, %d pending, and dropped are %v%s",
			after, s.Recorded, want, s.Pending, s.Dropped, w)
	}
	if refusedName := w.newNameTaken(); refusedName != "" {
		c.fail("Create of %s answered AlreadyExists, though the name is new: it counts as recorded", refusedName)
	}
}
