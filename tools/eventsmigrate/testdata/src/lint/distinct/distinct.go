// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package distinct

import (
	"fmt"
	"math/rand"
	"time"

	sdk "github.com/eventseries/eventseries/events"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
)

var broadcasterOption = sdk.WithNotes(sdk.NotesDistinct(5))

type settings struct{ timeout time.Duration }

func notes(r *sdk.Recorder, old record.EventRecorder, pod *corev1.Pod, s settings) {
	start := time.Now()
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s has %d", pod.Name, 3)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", start)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %s", start.Format(time.RFC3339))
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "since %v", pod.CreationTimestamp)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", metav1.Now())
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "took %v", time.Since(start))
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "took %v", time.Now().Sub(start).Round(time.Second))
	took := time.Since(start)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "took %v", (took - time.Second).Seconds())
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", fmt.Sprintf("took %v", took))
	r.Event(pod, nil, "Normal", "Scaled", "Scale", "took "+took.String())
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "as %s", pod.UID)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "as %s", string(pod.GetUID()))
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %s", pod.ResourceVersion)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %s", pod.GetResourceVersion())
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "try %d", rand.Int())
	old.Eventf(pod, "Normal", "Scaled", "at %v", start)

	// The same each time, or nobody can tell.
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "within %v", s.timeout)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "within %v", 5*time.Second)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "late: %t", start.After(pod.CreationTimestamp.Time))
}
