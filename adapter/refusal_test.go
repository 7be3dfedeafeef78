// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// store answers each write with its present error.
type store struct{ err error }

func (s *store) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return e, s.err
}

func (s *store) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, s.err
}

// answers are the server's, about every namespace.
type answers struct{ v1, core discovery.Permission }

func (a answers) Permission(_ context.Context, _, group string) (discovery.Permission, error) {
	if group == eventsv1.GroupName {
		return a.v1, nil
	}
	return a.core, nil
}

func (a answers) User(context.Context) (string, error) { return "jane", nil }

// rig is a router whose sink answers with the present error, and whose reviews say that RBAC allows everything.
func rig(clk clock.WithTicker) (*router, *store) {
	c := config{clock: clk, logger: &klog.Logger{}, mode: Auto}
	sink := &store{err: apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "web", errors.New("no"))}
	r := newRouter(&c)
	r.attach(discovery.NewProber(nil), map[API]events.Sink{EventsV1: sink, CoreV1: sink})
	r.support.value, r.support.probe.last = discovery.Served, c.clock.Now()
	r.permissions.prober = answers{v1: discovery.Allowed, core: discovery.Allowed}
	return r, sink
}

// refuse has the event of a series created, and checks the verdict.
func refuse(t *testing.T, r *router, want request.Verdict) {
	t.Helper()
	_, err := r.Create(t.Context(), &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
	if diff := cmp.Diff(want, request.Classify(request.Request{}, err)); diff != "" {
		t.Fatalf("the verdict on %v (-want +got):\n%s", err, diff)
	}
}

var (
	held     = request.Verdict{Action: request.Forbidden, Gate: request.Namespace, Hold: true}
	lastWord = request.Verdict{Action: request.Drop, Reason: stats.Rejected}
)

// An event is dropped at a 403 that lasts only if RBAC is known to have allowed it after the first. A write that was
// under way when RBAC was revoked says nothing, however late its answer; nor does one of another verb.
//
// Caught: a proof that counts from the answer; one that holds for every verb.
func TestWhatProvesThatRBACAllows(t *testing.T) {
	clk := testingclock.NewFakeClock(time.Now())
	r, _ := rig(clk)
	r.permissions.mu.Lock()
	r.permissions.reviewLocked(t.Context(), "shop", r.permissions.namespaceLocked("shop"), true)
	r.permissions.mu.Unlock()
	r.permissions.namespaces["shop"].review.last = clk.Now().Add(time.Hour / 2) // not to be asked again
	clk.Step(time.Hour / 2)

	event := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	underWay := &write{event: event, verb: create, sequence: r.permissions.nextSequence()}
	refuse(t, r, held)
	r.permissions.onStored(underWay, EventsV1)
	r.permissions.onStored(&write{event: event, verb: patch, sequence: r.permissions.nextSequence()}, EventsV1)
	r.permissions.onStored(&write{event: event, verb: create, sequence: r.permissions.nextSequence()}, CoreV1)
	for range 5 {
		clk.Step(time.Minute)
		r.permissions.namespaces["shop"].review.last = clk.Now()
		refuse(t, r, held)
	}
	r.permissions.onStored(&write{event: event, verb: create, sequence: r.permissions.nextSequence()}, EventsV1)
	refuse(t, r, lastWord)
}

// The last word takes time as well as times, by a clock that may be set.
//
// Caught: times alone; time alone; the age of a refusal that is yet to come.
func TestARefusalIsFinalWhenItLasts(t *testing.T) {
	tests := map[string]struct {
		steps []time.Duration // before each refusal after the first
		want  request.Verdict // on the last
	}{
		"many times in 59 seconds":      {[]time.Duration{time.Second, time.Second, 57 * time.Second}, held},
		"twice in an hour":              {[]time.Duration{time.Hour}, held},
		"three times in a minute":       {[]time.Duration{time.Second, 59 * time.Second}, lastWord},
		"the clock is set back":         {[]time.Duration{time.Second, -time.Hour, 59 * time.Second}, held},
		"and a minute later":            {[]time.Duration{time.Second, -time.Hour, time.Minute}, lastWord},
		"again, after the last word":    {[]time.Duration{time.Minute, time.Minute, 8 * time.Minute}, lastWord},
		"twice, and the clock is ahead": {[]time.Duration{24 * time.Hour}, held},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			clk := testingclock.NewFakeClock(time.Now())
			r, _ := rig(clk)
			refuse(t, r, held)
			for i, d := range tt.steps {
				clk.SetTime(clk.Now().Add(d))
				if i < len(tt.steps)-1 {
					_, _ = r.Create(t.Context(), &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
				}
			}
			refuse(t, r, tt.want)
		})
	}
}

// What is stored starts again.
func TestARefusalIsForgottenWhenStored(t *testing.T) {
	clk := testingclock.NewFakeClock(time.Now())
	r, sink := rig(clk)
	refusal := sink.err
	for range 3 {
		for range 2 {
			refuse(t, r, held)
			clk.Step(time.Minute)
		}
		sink.err = nil
		refuse(t, r, request.Verdict{Action: request.Stored})
		sink.err = refusal
	}
}
