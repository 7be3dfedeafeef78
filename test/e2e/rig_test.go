// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"math"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/sinks"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// controller is what all tests report as.
const controller = "example.com/e2e"

// soon bounds what should take no time, on a machine that may be busy.
const soon = 30 * time.Second

// broadcaster is what package events and package adapter have in common.
type broadcaster interface {
	Start(ctx context.Context) error
	Flush(ctx context.Context) error
	Drain(ctx context.Context) error
	Shutdown()
	Stats() events.Stats
}

// rig is a started broadcaster with a recorder.
type rig struct {
	t *testing.T
	broadcaster
	clientevents.EventRecorder
}

// manyEvents lets tests record as many different Events about one pod as they like.
var manyEvents = events.WithObjectLimit(math.MaxUint16)

// newEvents is a rig over package events.
func newEvents(t *testing.T, env *harness.Env, opts ...events.Option) *rig {
	t.Helper()
	b := events.NewBroadcaster(sinks.EventsV1(env.Client.EventsV1()),
		append([]events.Option{events.WithLogger(env.Logger), manyEvents}, opts...)...)
	return newRig(t, b, b.NewRecorder(scheme.Scheme, controller))
}

// newAdapter is a rig over package adapter.
func newAdapter(t *testing.T, env *harness.Env, opts ...adapter.Option) (*adapter.Adapter, *rig) {
	t.Helper()
	a := adapter.New(t.Context(), env.Client,
		append([]adapter.Option{events.WithLogger(env.Logger), manyEvents}, opts...)...)
	return a, newRig(t, a, a.NewRecorder(controller))
}

func newRig(t *testing.T, b broadcaster, recorder clientevents.EventRecorder) *rig {
	t.Helper()
	if err := b.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Shutdown)
	return &rig{t: t, broadcaster: b, EventRecorder: recorder}
}

// flush waits until all that was recorded has been written.
func (r *rig) flush() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), soon)
	defer cancel()
	if err := r.Flush(ctx); err != nil {
		r.t.Fatal(err)
	}
}

// drain ends the rig and returns Drain's answer.
func (r *rig) drain(within time.Duration) error {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), within)
	defer cancel()
	return r.Drain(ctx)
}

// drainAll ends the rig; everything must be recorded, n occurrences in all.
func (r *rig) drainAll(n int64) {
	r.t.Helper()
	if err := r.drain(soon); err != nil {
		r.t.Fatal(err)
	}
	if s := r.Stats(); s.Observed != n || s.Recorded != n {
		r.t.Errorf("observed %d and recorded %d of %d occurrences: %+v", s.Observed, s.Recorded, n, s)
	}
}

// checkConserved checks that every occurrence is accounted for.
func (r *rig) checkConserved() {
	r.t.Helper()
	s := r.Stats()
	sum := s.Recorded + s.Pending
	for _, n := range s.Dropped {
		sum += n
	}
	if s.Observed != sum {
		r.t.Errorf("observed %d occurrences and accounts for %d: %+v", s.Observed, sum, s)
	}
}

// inBoth runs a test with package events and with package adapter, which must not
// differ to a server on which all is well. The user may write events.k8s.io/v1.
func inBoth(t *testing.T, test func(t *testing.T, env *harness.Env, r *rig), opts ...events.Option) {
	t.Run("events", func(t *testing.T) {
		env := harness.New(t, shared)
		env.Allow(env.Namespace, harness.EventsV1)
		test(t, env, newEvents(t, env, opts...))
	})
	t.Run("adapter", func(t *testing.T) {
		env := harness.New(t, shared)
		env.Allow(env.Namespace, harness.EventsV1)
		_, r := newAdapter(t, env, opts...)
		test(t, env, r)
	})
}
