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
	// patience is how long a call may take: a client's rate limiter may hold it back, and the machine be busy.
	patience = 10 * time.Second
	// grace is how long a call may take to notice that its context has ended.
	grace = 5 * time.Second
	// maxFailures is how much a rule has to say.
	maxFailures = 2
)

// trial is one rule being tried on one sink.
type trial struct {
	t    T
	rule Rule
	sink events.Sink

	ctx   context.Context // ends with the trial; the context of every call is made of it
	end   context.CancelFunc
	names string // begins the name of every event: a sink may hold those of other runs
	last  atomic.Int64

	failures atomic.Int64

	looks   sync.Once // guards canLook
	canLook bool
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

// fail says what was seen, and which rule that breaks. What is seen again and again is said a few times.
func (c *trial) fail(format string, args ...any) {
	c.t.Helper()
	if c.failures.Add(1) <= maxFailures {
		c.t.Errorf("%s\nrule: %s\nelse: %s", fmt.Sprintf(format, args...), c.rule.Must, c.rule.Lest)
	}
}

// fatal is fail when nothing more can be learnt.
func (c *trial) fatal(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s\nrule: %s\nelse: %s", fmt.Sprintf(format, args...), c.rule.Must, c.rule.Lest)
}

// create and patch make one call, as the broadcaster does. They may be used from any goroutine.
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

// call makes one call and waits for it, but not for ever.
func (c *trial) call(
	ctx context.Context, op string, event *eventsv1.Event, do func(context.Context) (*eventsv1.Event, error),
) answer {
	name := fmt.Sprintf("%s of %s/%s", op, event.Namespace, event.Name)
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(c.ctx, cancel) // and not after the call, which only EarlierContext is about
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
	case <-time.After(patience):
		cancel()
	}
	select {
	case <-answers:
		return answer{call: name, fault: fmt.Sprintf("returned only when its context was cancelled after %v", patience)}
	case <-time.After(grace):
		return answer{call: name, fault: fmt.Sprintf("has not returned %v after its context ended", grace)}
	}
}

// given creates what a rule is tried with.
func (c *trial) given(event *eventsv1.Event) answer {
	c.t.Helper()
	a := c.create(event)
	if a.filtered() {
		c.t.Skipf("the sink filters the event that this rule is tried with")
	}
	return c.settled(a)
}

// settled checks that a is an answer to a write that was taken.
func (c *trial) settled(a answer) answer {
	c.t.Helper()
	if !a.settles() && !a.filtered() {
		c.fatal("%s", a)
	}
	return a
}

// look returns what the sink tells about event, nil if nothing that can be relied on.
func (c *trial) look(event *eventsv1.Event) *eventsv1.Event {
	c.looks.Do(c.tryLook)
	if !c.canLook {
		return nil
	}
	return c.ask(event)
}

// tryLook finds out whether a patch of {} tells what is stored. Where it should and does not EmptyPatch fails, and the
// other rules do without.
func (c *trial) tryLook() {
	event := counted(c.event(), 2)
	if !c.create(event).settles() {
		return
	}
	first, second := c.ask(event), c.ask(event)
	c.canLook = first != nil && second != nil && first.ResourceVersion == second.ResourceVersion &&
		differences(event, first) == "" && differences(event, second) == ""
}

func (c *trial) ask(event *eventsv1.Event) *eventsv1.Event {
	passed := unseries(event)
	a := c.patch(passed, []byte("{}"))
	if !a.settles() || !a.tells(passed) {
		return nil
	}
	return a.event
}

// version is the resourceVersion that the sink tells for event, empty if none.
func (c *trial) version(event *eventsv1.Event) string {
	if told := c.look(event); told != nil {
		return told.ResourceVersion
	}
	return ""
}

// holds checks that what the sink tells about want, if anything, is want.
func (c *trial) holds(when string, want *eventsv1.Event) {
	c.t.Helper()
	if told := c.look(want); told != nil {
		c.same(when+", a patch of {} answers", want, told)
	}
}

func (c *trial) same(what string, want, got *eventsv1.Event) {
	c.t.Helper()
	if diff := differences(want, got); diff != "" {
		c.fail("%s another event than was written:%s", what, diff)
	}
}
