// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	clientrecord "k8s.io/client-go/tools/record"
)

var _ clientevents.EventRecorder

func grouped(r clientrecord.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", "Sprintf", fmt.Sprintf("%d", 1))
}
