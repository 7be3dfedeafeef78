// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"k8s.io/client-go/tools/record"
)

// startElection leads, steps down, and returns how to end the recording of it.
func startElection(ctx context.Context, client kubernetes.Interface) (shutdown func(), err error) {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("kube-system")})
	source := corev1.EventSource{Component: "elector"}
	var recorder record.EventRecorder = broadcaster.NewRecorder(scheme.Scheme, source)
	config := resourcelock.ResourceLockConfig{Identity: "me", EventRecorder: recorder}
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "kube-system", "elector",
		client.CoreV1(), client.CoordinationV1(), config)
	if err != nil {
		return nil, err
	}
	ctx, stepDown := context.WithCancel(ctx)
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { stepDown() },
			OnStoppedLeading: func() {},
		},
	})
	return broadcaster.Shutdown, nil
}
