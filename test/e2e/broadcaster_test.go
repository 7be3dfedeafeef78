// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A broadcaster that is given a sink of core/v1, as components of client-go's record have it, uses every API that the
// adapter needs: Events of both groups, discovery, access and identity reviews.
//
// Caught: reviews, or Events of the other group, that are sent to the paths of core/v1.
func TestBroadcasterOverASinkOfCoreV1(t *testing.T) {
	env := harness.New(t, shared)
	other := env.NewNamespace()
	env.Allow(env.Namespace, harness.CoreV1)
	env.Allow(other, harness.EventsV1)
	b := adapter.NewRecordBroadcaster(events.WithLogger(env.Log.Logger()))
	defer b.Shutdown()
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: "node-7"})
	pods := []*corev1.Pod{env.NewPod(env.Namespace, "web"), env.NewPod(other, "web")}
	record := func() {
		for _, pod := range pods {
			recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "Pull", "the image")
		}
	}
	record()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: env.Client.CoreV1().Events("")})
	record()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if err := b.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods {
		event := env.OnlyEvent(pod.Namespace)
		if got := harness.Count(&event); got != 2 || event.ReportingInstance != "node-7" {
			t.Errorf("%s: count %d by %s, want 2 by node-7", pod.Namespace, got, event.ReportingInstance)
		}
	}
	want := discovery.Access{
		Namespace: env.Namespace, User: env.User, EventsV1: discovery.Denied, CoreV1: discovery.Allowed,
	}
	if got := b.Snapshot(0).Namespaces[env.Namespace]; got.API != adapter.CoreV1 || got.Access != want {
		t.Errorf("status %+v, want core/v1 and %+v", got, want)
	}
}
