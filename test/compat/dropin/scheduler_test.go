// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"k8s.io/client-go/tools/events"
)

// schedulerConfig is what the parts of a scheduler are made from.
type schedulerConfig struct {
	EventBroadcaster events.EventBroadcasterAdapter
	LeaderElection   resourcelock.ResourceLockConfig
}

// recorderFactory makes the recorder of a profile.
type recorderFactory func(name string) events.EventRecorderLogger

func newScheduler(ctx context.Context, client kubernetes.Interface) *schedulerConfig {
	c := &schedulerConfig{EventBroadcaster: events.NewEventBroadcasterAdapterWithContext(ctx, client)}
	c.LeaderElection = resourcelock.ResourceLockConfig{
		Identity:      "me",
		EventRecorder: c.EventBroadcaster.DeprecatedNewLegacyRecorder("default-scheduler"),
	}
	return c
}

// startScheduler begins to record, schedules once, and returns how to end.
func startScheduler(ctx context.Context, client kubernetes.Interface) (shutdown func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	c := newScheduler(ctx, client)
	c.EventBroadcaster.StartRecordingToSink(ctx.Done())
	var factory recorderFactory = func(name string) events.EventRecorderLogger {
		return c.EventBroadcaster.NewRecorder(name)
	}
	schedule(factory, "default-scheduler")
	schedule(factory, "batch-scheduler")
	lease := &corev1.ObjectReference{
		APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Namespace: "kube-system", Name: "kube-scheduler",
	}
	c.LeaderElection.EventRecorder.Eventf(lease, corev1.EventTypeNormal, "LeaderElection", "%v became leader", "me")
	return func() { c.EventBroadcaster.Shutdown(); cancel() }, nil
}

func schedule(factory recorderFactory, profile string) {
	recorder := factory(profile)
	web, batch := pod("web"), pod("batch")
	for range 2 {
		recorder.Eventf(web, nil, corev1.EventTypeWarning, "FailedScheduling", "Scheduling",
			"0/%d nodes are available", 3)
	}
	recorder.Eventf(batch, web, corev1.EventTypeNormal, "Preempted", "Preempting", "Preempted by pod %v on node %v",
		web.UID, "node-1")
	recorder.Eventf(web, nil, corev1.EventTypeNormal, "Scheduled", "Binding", "Successfully assigned %v/%v to %v",
		web.Namespace, web.Name, "node-1")
}

func pod(name string) *corev1.Pod {
	p := &corev1.Pod{}
	p.Namespace, p.Name, p.UID, p.ResourceVersion = "default", name, types.UID("uid-of-"+name), "7"
	return p
}
