// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"math"
	"testing"
	"time"

	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// controller is what all tests report as.
const controller = "example.com/e2e"

// soon bounds what should take no time, on a machine that may be busy.
const soon = 30 * time.Second

// rig is a started adapter with a recorder.
type rig struct {
	t *testing.T
	*adapter.Adapter
	clientevents.EventRecorder
}

// newRig records as the user of env. Many different Events may be about one pod.
func newRig(t *testing.T, env *harness.Env, opts ...adapter.Option) *rig {
	t.Helper()
	opts = append([]adapter.Option{events.WithLogger(env.Logger), events.WithMaxSeriesPerObject(math.MaxUint16)}, opts...)
	a := adapter.New(t.Context(), env.Client, opts...)
	if err := a.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Shutdown)
	return &rig{t: t, Adapter: a, EventRecorder: a.Recorder(controller)}
}

// flush waits until all that was recorded has been written.
func (r *rig) flush() {
	r.t.Helper()
	fixture.Flush(r.t, r)
}

// drainAll ends the rig; everything must be recorded, n occurrences in all.
func (r *rig) drainAll(n int64) {
	r.t.Helper()
	r.drain()
	if s := r.Stats(); s.Observed != n || s.Recorded != n {
		r.t.Errorf("observed %d and recorded %d of %d occurrences: %+v", s.Observed, s.Recorded, n, s)
	}
}

func (r *rig) drain() {
	r.t.Helper()
	fixture.End(r.t, r)
}
