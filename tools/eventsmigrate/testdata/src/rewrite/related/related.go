// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package related has notes that name a second object.
package related

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type task struct{ node *corev1.Node }

type owner struct{ Name string }

func related(r record.EventRecorder, node *corev1.Node, pod *corev1.Pod, pods []corev1.Pod, t task, o owner, any client.Object) { // want "record\\.EventRecorder becomes events\\.EventRecorder"
	r.Eventf(node, "Normal", "Placed", "placed %s", pod.Name)                        // want "Eventf becomes Eventf with action \"Placed\""
	r.Eventf(node, "Normal", "Placed", "placed %s/%s", pod.Namespace, pod.GetName()) // want "Eventf becomes Eventf with action \"Placed\"" "under reason Placed, \"placed %s/%s\" and \"placed %s\" \\(related\\.go:19\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.Eventf(node, "Normal", "Placed", "placed %v", klog.KObj(pod))                  // want "Eventf becomes Eventf with action \"Placed\"" "under reason Placed, \"placed %v\" and \"placed %s\" \\(related\\.go:19\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.Eventf(pod, "Normal", "Placed", "on %s", t.node.Name)                          // want "Eventf becomes Eventf with action \"Placed\"" "under reason Placed, \"on %s\" and \"placed %s\" \\(related\\.go:19\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.Eventf(pod, "Normal", "Placed", "with %s", client.ObjectKeyFromObject(any))    // want "Eventf becomes Eventf with action \"Placed\"" "under reason Placed, \"with %s\" and \"placed %s\" \\(related\\.go:19\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	r.Event(pod, "Normal", "Placed", "on "+node.Name)                                // want "Event becomes Eventf with action \"Placed\""
	for _, p := range pods {
		r.Eventf(node, "Normal", "Placed", "placed %s", p.Name) // want "Eventf becomes Eventf with action \"Placed\""
	}
	r.Eventf(node, "Normal", "Ready", "%s is ready", node.Name)          // want "Eventf becomes Eventf with action \"Ready\""
	r.Eventf(node, "Normal", "Both", "%s and %s", pod.Name, t.node.Name) // want "Eventf becomes Eventf with action \"Both\""
	r.Eventf(node, "Normal", "Indexed", "%s", pods[0].Name)              // want "Eventf becomes Eventf with action \"Indexed\""
	r.Eventf(node, "Normal", "Plain", "%s", o.Name)                      // want "Eventf becomes Eventf with action \"Plain\""
}
