// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	// The one line that changes when a component migrates; it was "k8s.io/client-go/tools/events".
	events "github.com/eventseries/eventseries/adapter"
)

// component is how users of client-go's adapter wire it.
type component struct {
	broadcaster events.EventBroadcasterAdapter
	recorder    events.EventRecorder
	logging     events.EventRecorderLogger
	election    resourcelock.EventRecorder
}

func newComponent(ctx context.Context, client kubernetes.Interface) *component {
	broadcaster := events.NewEventBroadcasterAdapterWithContext(ctx, client)
	return &component{
		broadcaster: broadcaster,
		recorder:    broadcaster.NewRecorder("example.com/component"),
		logging:     broadcaster.NewRecorder("example.com/component"),
		election:    broadcaster.DeprecatedNewLegacyRecorder("component"),
	}
}

func (c *component) run(stop <-chan struct{}, pod *corev1.Pod) {
	c.broadcaster.StartRecordingToSink(stop)
	defer c.broadcaster.Shutdown()
	c.recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	c.logging.Eventf(pod, nil, corev1.EventTypeWarning, "Failed", "Scale", "no quota")
	c.election.Eventf(pod, corev1.EventTypeNormal, "LeaderElection", "%s became leader", "me")
}

// A component written against client-go's adapter compiles with only the import changed, and does what it did.
func TestComponentMigratesByItsImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		stop := make(chan struct{}) // never closed
		newComponent(t.Context(), c).run(stop, newPod("default", "web"))
		reasons := map[string]bool{}
		for _, e := range c.Events() {
			reasons[e.Reason] = true
		}
		if len(reasons) != 3 || !reasons["Scaled"] || !reasons["Failed"] || !reasons["LeaderElection"] {
			t.Errorf("stored: %v, want all three", reasons)
		}
	})
}
