// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
)

const (
	// callTimeout is how long a call may take, with a client's rate limiter and on a busy machine.
	callTimeout = 10 * time.Second
	// maxFailures bounds the failures that a rule reports.
	maxFailures = 2
)

// trial is the check of one rule on one sink.
type trial struct {
	t    T
	rule Rule
	sink events.Sink

	names    string // the prefix of event names: a sink may have events of other runs
	last     atomic.Int64
	failures atomic.Int64
}

func newTrial(t T, rule Rule, sink events.Sink) *trial {
	t.Helper()
	if sink == nil {
		t.Fatalf("there is no sink to try; newSink returned nil")
	}
	return &trial{
		t:     t,
		rule:  rule,
		sink:  sink,
		names: fmt.Sprintf("conformance.%016x", rand.Uint64()),
	}
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

// create makes one call, as the broadcaster does: its context ends with it. It may be called from any goroutine.
func (c *trial) create(event *eventsv1.Event) answer { return c.createIn(c.t.Context(), event) }

func (c *trial) createIn(ctx context.Context, event *eventsv1.Event) answer {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stored, err := c.sink.Create(ctx, event)
	return answer{fmt.Sprintf("Create of %s/%s", event.Namespace, event.Name), stored, err}
}

func (c *trial) patch(event *eventsv1.Event, patch []byte) answer {
	return c.patchIn(c.t.Context(), event, patch)
}

func (c *trial) patchIn(ctx context.Context, event *eventsv1.Event, patch []byte) answer {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stored, err := c.sink.Patch(ctx, event, patch)
	return answer{fmt.Sprintf("Patch of %s/%s", event.Namespace, event.Name), stored, err}
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

// stored returns the stored event as the sink reports it in the answer to a patch of {}, and nil if it does not.
func (c *trial) stored(event *eventsv1.Event) *eventsv1.Event {
	passed := withoutSeries(event)
	a := c.patch(passed, []byte("{}"))
	if !a.reportsStored(passed) {
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
