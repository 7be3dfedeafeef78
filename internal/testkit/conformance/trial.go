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
	// callTimeout is the maximum time that a call of the sink may take. It allows for a client's
	// rate limiter and for a busy machine.
	callTimeout = 10 * time.Second
	// maxFailures is the maximum number of failures that a rule reports.
	maxFailures = 2
)

// trial is the check of one rule on one sink.
type trial struct {
	t    T
	rule Rule
	sink events.Sink

	// names is the prefix of the names of all Events of the trial. It is random, because the sink
	// may contain Events of other runs.
	names string
	// last is the number of the most recently created Event.
	last     atomic.Int64
	failures atomic.Int64
}

// newTrial returns a trial. It fails t if sink is nil.
func newTrial(t T, rule Rule, sink events.Sink) *trial {
	t.Helper()
	if sink == nil {
		t.Fatalf("there is no sink to check, because newSink returned nil")
	}
	return &trial{
		t:     t,
		rule:  rule,
		sink:  sink,
		names: fmt.Sprintf("conformance.%016x", rand.Uint64()),
	}
}

// fail reports a failure, together with the requirement and its consequence. After maxFailures it
// does nothing. It may be called from any goroutine.
func (c *trial) fail(format string, args ...any) {
	c.t.Helper()
	if c.failures.Add(1) <= maxFailures {
		c.t.Errorf("%s\nrule: %s\notherwise: %s", fmt.Sprintf(format, args...), c.rule.Requirement, c.rule.Consequence)
	}
}

// fatal reports a failure as fail does, and ends the trial.
func (c *trial) fatal(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s\nrule: %s\notherwise: %s", fmt.Sprintf(format, args...), c.rule.Requirement, c.rule.Consequence)
}

// create calls Create as a broadcaster does, with a context that ends when the call returns. It may
// be called from any goroutine.
func (c *trial) create(event *eventsv1.Event) answer { return c.createIn(c.t.Context(), event) }

// createIn is like create, but uses the context ctx.
func (c *trial) createIn(ctx context.Context, event *eventsv1.Event) answer {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stored, err := c.sink.Create(ctx, event)
	return answer{fmt.Sprintf("Create of %s/%s", event.Namespace, event.Name), stored, err}
}

// patch calls Patch in the same way as create calls Create.
func (c *trial) patch(event *eventsv1.Event, patch []byte) answer {
	return c.patchIn(c.t.Context(), event, patch)
}

// patchIn is like patch, but uses the context ctx.
func (c *trial) patchIn(ctx context.Context, event *eventsv1.Event, patch []byte) answer {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stored, err := c.sink.Patch(ctx, event, patch)
	return answer{fmt.Sprintf("Patch of %s/%s", event.Namespace, event.Name), stored, err}
}

// mustCreate creates an Event to check a rule with. It ends the trial if the Create fails, and
// skips the rule if the sink filters the Event.
func (c *trial) mustCreate(event *eventsv1.Event) answer {
	c.t.Helper()
	a := c.create(event)
	if a.filtered() {
		c.t.Skipf("the sink filters the Event with which this rule is checked")
	}
	return c.mustSucceed(a)
}

// mustSucceed ends the trial unless a is a success or the sink filters the Event. It returns a.
func (c *trial) mustSucceed(a answer) answer {
	c.t.Helper()
	if !a.succeeds() && !a.filtered() {
		c.fatal("%s", a)
	}
	return a
}

// stored reads the stored Event by sending the empty patch {}. It returns nil if the answer does
// not contain the Event.
func (c *trial) stored(event *eventsv1.Event) *eventsv1.Event {
	passed := withoutSeries(event)
	a := c.patch(passed, []byte("{}"))
	if !a.reportsStored(passed) {
		return nil
	}
	return a.event
}

// version returns the resourceVersion of the stored event, or "" if the sink does not report one.
func (c *trial) version(event *eventsv1.Event) string {
	if stored := c.stored(event); stored != nil {
		return stored.ResourceVersion
	}
	return ""
}

// checkStored checks that the stored Event equals want. It does nothing if the sink does not return
// the stored Event. The parameter when describes the moment of the check in the failure message.
func (c *trial) checkStored(when string, want *eventsv1.Event) {
	c.t.Helper()
	if stored := c.stored(want); stored != nil {
		c.same(when+", a patch of {} returns", want, stored)
	}
}

// same checks that got has the same fields as want. The parameter what describes got in the failure
// message.
func (c *trial) same(what string, want, got *eventsv1.Event) {
	c.t.Helper()
	if diff := differences(want, got); diff != "" {
		c.fail("%s an Event that differs from the written one:%s", what, diff)
	}
}
