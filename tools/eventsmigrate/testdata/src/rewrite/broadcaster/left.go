// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcaster

import (
	"thirdparty"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func handedOver(deps *Dependencies) {
	b := record.NewBroadcaster(record.WithSleepDuration(1))
	same := b
	thirdparty.Broadcast(same)
	deps.Recorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "handed over"})
	given := thirdparty.Broadcaster()
	recorder := given.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "given"})
	recorder.Event(&corev1.Pod{}, "Normal", "Given", "stays old")
	deps.Recorder = recorder
}

func elects() {
	b := record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{
		LRUCacheSize: 1000, // many
		BurstSize:    100,
	})
	manager.New(nil, manager.Options{LeaderElection: true, EventBroadcaster: b})
}

func thawed() {
	cold.StartStructuredLogging(1)
	chill(cold)
}
