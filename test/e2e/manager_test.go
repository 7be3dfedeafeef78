// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// lateRunnable records when it starts and, as a reconciler that is in its last
// round, after it was told to end.
type lateRunnable struct {
	recorder clientevents.EventRecorder
	pod      *corev1.Pod
	started  chan struct{}
}

func (l *lateRunnable) Start(ctx context.Context) error {
	l.recorder.Eventf(l.pod, nil, corev1.EventTypeNormal, "Started", "Start", "started")
	close(l.started)
	<-ctx.Done()
	l.recorder.Eventf(l.pod, nil, corev1.EventTypeNormal, "Ended", "End", "ended")
	return nil
}

// A manager of controller-runtime runs the adapter of its recorders: from before
// its controllers start until they have all ended.
// Caught: a runnable without a cache, which ends first and drops "Ended".
func TestManagerDrainsAfterItsControllers(t *testing.T) {
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	mgr, err := ctrl.NewManager(env.Config, ctrl.Options{
		Scheme:  scheme.Scheme,
		Logger:  env.Logger,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	late := &lateRunnable{
		recorder: adapter.RecorderFor(mgr, controller),
		pod:      env.NewPod(env.Namespace, "web"),
		started:  make(chan struct{}),
	}
	if err := mgr.Add(late); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- mgr.Start(ctx) }()
	<-late.started
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	var reasons []string
	for _, event := range env.Events(env.Namespace) {
		reasons = append(reasons, event.Reason)
	}
	if len(reasons) != 2 {
		t.Errorf("the server has %v, want Started and Ended", reasons)
	}
}
