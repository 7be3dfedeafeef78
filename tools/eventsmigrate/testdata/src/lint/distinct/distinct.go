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
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", start)                                      // want `the note has a timestamp in it, so that every occurrence is a series of its own under NotesDistinct`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %s", start.Format(time.RFC3339))                 // want `a timestamp`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "since %v", pod.CreationTimestamp)                   // want `a timestamp`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %v", metav1.Now())                               // want `a timestamp`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "took %v", time.Since(start))                        // want `a measured duration`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "took %v", time.Now().Sub(start).Round(time.Second)) // want `a measured duration`
	took := time.Since(start)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "took %v", (took - time.Second).Seconds()) // want `a measured duration`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", fmt.Sprintf("took %v", took))              // want `a measured duration`
	r.Event(pod, nil, "Normal", "Scaled", "Scale", "took "+took.String())                      // want `a measured duration`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "as %s", pod.UID)                          // want `a UID`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "as %s", string(pod.GetUID()))             // want `a UID`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %s", pod.ResourceVersion)              // want `a resource version`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "at %s", pod.GetResourceVersion())         // want `a resource version`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "try %d", rand.Int())                      // want `a random value`
	old.Eventf(pod, "Normal", "Scaled", "at %v", start)                                        // want `a timestamp`

	// The same each time, or nobody can tell.
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "within %v", s.timeout)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "within %v", 5*time.Second)
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale", "late: %t", start.After(pod.CreationTimestamp.Time))
}
