// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// An operator mutes one reason by the environment: the server has everything but that.
func TestSelectorFromTheEnvironment(t *testing.T) {
	t.Setenv(adapter.EnvironmentSelector, "reason!=Pulled")
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	a := adapter.New(t.Context(), env.Client, events.WithLogger(env.Log.Logger()))
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer a.Shutdown()
	recorder, pod := a.NewRecorder("example.com/test"), env.NewPod(env.Namespace, "web")
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "Pull", "the image")
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Started", "Start", "the container")
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if err := a.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	event := env.OnlyEvent(env.Namespace)
	if event.Reason != "Started" || harness.Count(&event) != 3 || a.Stats().Dropped[events.Muted] != 3 {
		t.Errorf("%s x%d, %+v; want Started x3, 3 muted", event.Reason, harness.Count(&event), a.Stats())
	}
}
