// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

func TestClusterWithoutEventsV1(t *testing.T) {
	old, err := controlplane.Start("--runtime-config=events.k8s.io/v1=false")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := old.Stop(); err != nil {
			t.Error(err)
		}
	})
	for mode, api := range map[adapter.Mode]adapter.Mode{adapter.ModeAuto: adapter.ModeLegacy, adapter.ModeCoreV1: adapter.ModeCoreV1} {
		t.Run(string(mode), func(t *testing.T) {
			env := harness.New(t, old)
			env.Allow(env.Namespace, harness.CoreV1)
			r := newRig(t, env, adapter.WithMode(mode))
			env.Await("the adapter to find out", func() bool { return r.Snapshot(0).API == api })
			testCoreObject(t, env, r)
		})
	}
	// A write before the answer of discovery is refused. If RBAC allows the group, the server's
	// router refuses it, and otherwise RBAC does. After neither refusal may the adapter ask for
	// RBAC, because RBAC for this API would be of no use.
	for name, allowed := range map[string][]string{
		"NotFoundBeforeDiscovery":  {harness.CoreV1, harness.EventsV1},
		"ForbiddenBeforeDiscovery": {harness.CoreV1},
	} {
		t.Run(name, func(t *testing.T) {
			env := harness.New(t, old)
			env.Allow(env.Namespace, allowed...)
			env.Wire.Add(wire.Always(wire.Discovery, wire.Delay(200*time.Millisecond)))
			r := newRig(t, env)
			testCoreObject(t, env, r)
			if lines := env.Log.Lines(remedy); len(lines) > 0 {
				t.Errorf("log lines ask for access to an API that is not served: %v", lines)
			}
		})
	}
}

// testCoreObject checks that the fields that core/v1 has in common with
// events.k8s.io/v1 are filled in.
func testCoreObject(t *testing.T, env *harness.Env, r *rig) {
	t.Helper()
	pod, related := env.NewPod(env.Namespace, "web"), env.NewPod(env.Namespace, "volume")
	const n = 3
	for range n {
		r.Eventf(pod, related, corev1.EventTypeWarning, "FailedMount", "Mount", "no such device")
	}
	r.drainAll(n)
	all := env.CoreEvents(env.Namespace)
	if len(all) != 1 {
		t.Fatalf("%d Events, want one: %v", len(all), all)
	}
	event := all[0]
	if event.Action != "Mount" || event.Related == nil || event.Related.Name != related.Name {
		t.Errorf("action %q and related %v, want Mount and %s", event.Action, event.Related, related.Name)
	}
	if event.Count != n || event.InvolvedObject.UID != pod.UID || event.Message != "no such device" {
		t.Errorf("count %d about %s: %q, want %d about %s", event.Count, event.InvolvedObject.UID, event.Message, n, pod.UID)
	}
	if event.ReportingController != controller || event.Source.Component != controller {
		t.Errorf("reported by %q, source %q, want %q", event.ReportingController, event.Source.Component, controller)
	}
}
