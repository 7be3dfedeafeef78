// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcaster

import (
	"thirdparty"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

func handedOver(deps *Dependencies) {
	b := record.NewBroadcaster(record.WithSleepDuration(1)) // want "thirdparty\\.Broadcast wants record\\.EventBroadcaster, so this one stays old"
	same := b
	thirdparty.Broadcast(same)
	deps.Recorder = b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "handed over"}) // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	given := thirdparty.Broadcaster()
	recorder := given.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "given"})
	recorder.Event(&corev1.Pod{}, "Normal", "Given", "stays old")
	deps.Recorder = recorder // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
}

func thawed() {
	cold.StartStructuredLogging(1)
	chill(cold)
}
