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

// endedContext checks that calls whose context has ended return, and that their errors do not say
// that the Event is refused.
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
	c.checkStored("after writes that were cut off and tried again", event)
}

// checkUnfinished checks that a broadcaster would consider the write stored or filtered, or would
// retry it.
func (c *trial) checkUnfinished(a answer) {
	c.t.Helper()
	if !a.is(request.Stored, request.Retry) && !a.filtered() {
		c.fatal("%s; its context had ended before, so return ctx.Err()", a)
	}
}

// concurrentUse checks that concurrent calls from several goroutines do not disturb each other.
func concurrentUse(c *trial) {
	var all sync.WaitGroup
	// This is twice the initial window of a broadcaster.
	for range 8 {
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

// The occurrences that the rule Broadcaster records: each emitter records one about each pod in
// each round.
const (
	emitters = 4
	pods     = 4
	rounds   = 8
	// drainTimeout is the time limit for writing all occurrences.
	drainTimeout = 30 * time.Second
)

// broadcaster checks a broadcaster that writes to the sink: after Drain it must have recorded all
// occurrences except those that the sink filters.
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
		c.fail("after Drain, %d of %d occurrences are recorded, %d are pending, and these are dropped: %v",
			s.Recorded, want, s.Pending, s.Dropped)
	}
}

// emit records all occurrences and returns when the last one is recorded.
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
