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
	"github.com/eventseries/eventseries/internal/request"
)

func endedContext(c *trial) {
	ended, cancel := context.WithCancel(c.t.Context())
	cancel()
	event := c.event()
	a := c.createIn(ended, event)
	c.checkUnfinished(a)
	if a.filtered() {
		return
	}
	c.mustSucceed(c.create(event))

	event = counted(event, 2)
	patch := seriesPatch(event, c.version(event), nil)
	c.checkUnfinished(c.patchIn(ended, event, patch))
	c.mustSucceed(c.patch(event, seriesPatch(event, c.version(event), nil)))
	c.checkStored("after writes that were cut off, and tried again", event)
}

// checkUnfinished checks that a broadcaster takes the write for done, or tries it again.
func (c *trial) checkUnfinished(a answer) {
	c.t.Helper()
	if !a.is(request.Stored, request.Retry) && !a.filtered() {
		c.fatal("%s; its context had ended before: answer ctx.Err()", a)
	}
}

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
			a = c.patch(event, seriesPatch(event, a.version(), nil))
			if !a.succeeds() {
				c.fail("with other calls under way, %s", a)
			}
			c.checkStored("after other calls at the same time", event)
		})
	}
	all.Wait()
}

// What a broadcaster records: every emitter records about every pod in every round.
const (
	emitters = 4
	pods     = 4
	rounds   = 8
	// drainTimeout is how long it may take until all of it is written.
	drainTimeout = 30 * time.Second
)

// broadcaster runs a component that records events, from start to stop.
func broadcaster(c *trial) {
	c.t.Helper()
	b := events.NewBroadcaster(c.sink, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.WithoutCancel(c.t.Context())); err != nil {
		c.fatal("the broadcaster does not start: %v", err)
	}
	defer b.Shutdown()
	c.emit(b.Recorder(nil, "example.com/conformance"))
	ctx, cancel := context.WithTimeout(c.t.Context(), drainTimeout)
	defer cancel()
	if err := b.Drain(ctx); err != nil {
		c.fatal("after %v, %v", drainTimeout, err)
	}
	s := b.Stats()
	if want := int64(emitters * pods * rounds); s.Recorded+s.Dropped[events.DropFiltered] != want {
		maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
		c.fail("after Drain, %d of %d occurrences are recorded, %d pending, and dropped are %v",
			s.Recorded, want, s.Pending, s.Dropped)
	}
}

func (c *trial) emit(recorder *events.Recorder) {
	var all sync.WaitGroup
	for emitter := range emitters {
		all.Go(func() {
			for n := range pods * rounds {
				pod := &corev1.ObjectReference{
					APIVersion: "v1",
					Kind:       "Pod",
					Namespace:  namespace,
					Name:       fmt.Sprintf("%s-%d", c.names, n%pods),
				}
				recorder.AnnotatedEventf(pod, nil, map[string]string{"example.com/emitter": fmt.Sprint(emitter)},
					corev1.EventTypeNormal, "Stopping", "Stop", "time %d", n/pods)
			}
		})
	}
	all.Wait()
}
