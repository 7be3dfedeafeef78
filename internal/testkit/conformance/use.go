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
			if a.exists() || !a.settles() {
				c.fail("with other calls under way, %s", a)
				return
			}
			event = counted(event, 2)
			if a = c.patch(event, seriesPatch(event, a.version(), nil)); !a.settles() {
				c.fail("with other calls under way, %s", a)
			}
			c.holds("after other calls at the same time", event)
		})
	}
	all.Wait()
}

func broadcaster(c *trial) { c.process() }

func secondProcess(c *trial) {
	c.process()
	c.process()
}

// longest is how long it may take until all that a process recorded is written.
const longest = 30 * time.Second

// What one process records, twice: every emitter about every pod, over and over.
const (
	emitters = 4
	pods     = 4
	rounds   = 8
	once     = emitters * pods * rounds
)

// process is the life of a component that records events.
func (c *trial) process() {
	c.t.Helper()
	w := &witness{sink: c.sink, names: map[string]bool{}}
	b := events.NewBroadcaster(w, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.WithoutCancel(c.ctx)); err != nil {
		c.fatal("the broadcaster does not start: %v", err)
	}
	defer b.Shutdown()
	recorder := b.NewRecorder(nil, "example.com/conformance").(*events.Recorder)
	ctx, cancel := context.WithTimeout(c.ctx, longest)
	defer cancel()

	c.emit(recorder)
	if err := b.Flush(ctx); err != nil {
		c.fatal("after %v, %v%s", longest, err, w)
	}
	c.balances("Flush", once, b.Stats(), w)
	c.emit(recorder)
	if err := b.Drain(ctx); err != nil {
		c.fatal("after %v, %v%s", longest, err, w)
	}
	c.balances("Drain", 2*once, b.Stats(), w)
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

// balances checks the accounts.
func (c *trial) balances(after string, want int64, s events.Stats, w *witness) {
	c.t.Helper()
	if s.Observed != want || s.Recorded+s.Dropped[events.Filtered] != want {
		maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
		c.fail("after %s, %d of %d occurrences are recorded, %d pending, and dropped are %v%s",
			after, s.Recorded, want, s.Pending, s.Dropped, w)
	}
	if denied := w.deniedName(); denied != "" {
		c.fail("Create of %s answered AlreadyExists, though the name is new: it counts as recorded", denied)
	}
}
