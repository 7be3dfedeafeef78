// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

const (
	// callTimeout is how long a call may take, with a client's rate limiter and on a busy machine.
	callTimeout = 10 * time.Second
	// contextGrace is how long a call may take to return after its context has ended.
	contextGrace = 5 * time.Second
	// maxFailures bounds the failures that a rule reports.
	maxFailures = 2
)

// trial is the check of one rule on one sink.
type trial struct {
	t    T
	rule Rule
	sink events.Sink

	ctx   context.Context // ends with the trial; the parent of every call's context
	end   context.CancelFunc
	names string // the prefix of event names: a sink may have events of other runs
	last  atomic.Int64

	failures atomic.Int64

	probe   sync.Once // guards canLook
	canRead bool
}

func newTrial(t T, rule Rule, sink events.Sink) *trial {
	t.Helper()
	if sink == nil {
		t.Fatalf("there is no sink to try; newSink returned nil")
	}
	c := &trial{t: t, rule: rule, sink: sink, names: fmt.Sprintf("conformance.%016x", rand.Uint64())}
	c.ctx, c.end = context.WithCancel(t.Context())
	return c
}

// fail reports what was seen and which rule that breaks, up to maxFailures times.
func (c *trial) fail(format string, args ...any) {
	c.t.Helper()
	if c.failures.Add(1) <= maxFailures {
		c.t.Errorf("%s\nrule: %s\nelse: %s", fmt.Sprintf(format, args...), c.rule.Requirement, c.rule.Consequence)
	}
}

// fatal is fail, and ends the trial.
func (c *trial) fatal(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s\nrule: %s\nelse: %s", fmt.Sprintf(format, args...), c.rule.Requirement, c.rule.Consequence)
}

// create makes one call, as the broadcaster does. It may be called from any goroutine.
func (c *trial) create(event *eventsv1.Event) answer { return c.createIn(c.ctx, event) }

func (c *trial) createIn(ctx context.Context, event *eventsv1.Event) answer {
	return c.call(ctx, "Create", event, func(ctx context.Context) (*eventsv1.Event, error) {
		return c.sink.Create(ctx, event)
	})
}

func (c *trial) patch(event *eventsv1.Event, patch []byte) answer {
	return c.patchIn(c.ctx, event, patch)
}

func (c *trial) patchIn(ctx context.Context, event *eventsv1.Event, patch []byte) answer {
	return c.call(ctx, "Patch", event, func(ctx context.Context) (*eventsv1.Event, error) {
		return c.sink.Patch(ctx, event, patch)
	})
}

// call makes one call and waits for it, up to callTimeout.
func (c *trial) call(
	ctx context.Context, op string, event *eventsv1.Event, do func(context.Context) (*eventsv1.Event, error),
) answer {
	name := fmt.Sprintf("%s of %s/%s", op, event.Namespace, event.Name)
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(c.ctx, cancel) // and not after the call, which is EarlierContext's part
	answers := make(chan answer, 1)
	var calling sync.WaitGroup
	calling.Go(func() {
		a := answer{call: name}
		if panicked := usercode.Call(func() { a.event, a.err = do(ctx) }); panicked != nil {
			a.fault = fmt.Sprintf("%v\n%s", panicked, panicked.Stack)
		}
		answers <- a
	})
	select {
	case a := <-answers:
		calling.Wait()
		return a
	case <-time.After(callTimeout):
		cancel()
	}
	select {
	case <-answers:
		fault := fmt.Sprintf("returned only when its context was cancelled after %v", callTimeout)
		return answer{call: name, fault: fault}
	case <-time.After(contextGrace):
		return answer{call: name, fault: fmt.Sprintf("has not returned %v after its context ended", contextGrace)}
	}
}

// mustCreate creates the event that a rule is checked with.
func (c *trial) mustCreate(event *eventsv1.Event) answer {
	c.t.Helper()
	a := c.create(event)
	if a.filtered() {
		c.t.Skipf("the sink filters the event that this rule is tried with")
	}
	return c.mustSucceed(a)
}

// mustSucceed checks that a is a success, or that the sink filters the event.
func (c *trial) mustSucceed(a answer) answer {
	c.t.Helper()
	if !a.succeeds() && !a.filtered() {
		c.fatal("%s", a)
	}
	return a
}

// stored returns the stored event as the sink reports it, and nil if it does not.
func (c *trial) stored(event *eventsv1.Event) *eventsv1.Event {
	c.probe.Do(c.probeRead)
	if !c.canRead {
		return nil
	}
	return c.read(event)
}

// probeRead finds out whether the answer to a patch of {} is the stored event. If it should be and is not, EmptyPatch
// fails, and the other rules do not read.
func (c *trial) probeRead() {
	event := counted(c.event(), 2)
	if !c.create(event).succeeds() {
		return
	}
	first, second := c.read(event), c.read(event)
	c.canRead = first != nil && second != nil && first.ResourceVersion == second.ResourceVersion &&
		differences(event, first) == "" && differences(event, second) == ""
}

func (c *trial) read(event *eventsv1.Event) *eventsv1.Event {
	passed := withoutSeries(event)
	a := c.patch(passed, []byte("{}"))
	if !a.succeeds() || !a.reportsStored(passed) {
		return nil
	}
	return a.event
}

// version returns the resourceVersion that the sink reports for event, and "" if there is none.
func (c *trial) version(event *eventsv1.Event) string {
	if stored := c.stored(event); stored != nil {
		return stored.ResourceVersion
	}
	return ""
}

// checkStored checks that the event that the sink reports as stored, if any, is want.
func (c *trial) checkStored(when string, want *eventsv1.Event) {
	c.t.Helper()
	if stored := c.stored(want); stored != nil {
		c.same(when+", a patch of {} answers", want, stored)
	}
}

func (c *trial) same(what string, want, got *eventsv1.Event) {
	c.t.Helper()
	if diff := differences(want, got); diff != "" {
		c.fail("%s another event than was written:%s", what, diff)
	}
}
