// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package related has notes that name a second object.
package related

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type task struct{ node *corev1.Node }

type owner struct{ Name string }

func related(r record.EventRecorder, node *corev1.Node, pod *corev1.Pod, pods []corev1.Pod, t task, o owner, any client.Object) {
	r.Eventf(node, "Normal", "Placed", "placed %s", pod.Name)
	r.Eventf(node, "Normal", "Placed", "placed %s/%s", pod.Namespace, pod.GetName())
	r.Eventf(node, "Normal", "Placed", "placed %v", klog.KObj(pod))
	r.Eventf(pod, "Normal", "Placed", "on %s", t.node.Name)
	r.Eventf(pod, "Normal", "Placed", "with %s", client.ObjectKeyFromObject(any))
	r.Event(pod, "Normal", "Placed", "on "+node.Name)
	for _, p := range pods {
		r.Eventf(node, "Normal", "Placed", "placed %s", p.Name)
	}
	r.Eventf(node, "Normal", "Ready", "%s is ready", node.Name)
	r.Eventf(node, "Normal", "Both", "%s and %s", pod.Name, t.node.Name)
	r.Eventf(node, "Normal", "Indexed", "%s", pods[0].Name)
	r.Eventf(node, "Normal", "Plain", "%s", o.Name)
	r.Event(pod, "Normal", "Nested", fmt.Sprint("on "+fmt.Sprintf("node %s", node.Name)))
	r.Event(pod, "Normal", "Nested", "on "+fmt.Sprintf("node %s", node.Name))
	message := fmt.Sprintf("on %s", node.Name)
	r.Event(pod, "Normal", "Local", message)
	changed := "on " + node.Name
	changed += " and others"
	r.Event(pod, "Normal", "Local", changed)
	{
		node := t.node.Name // another one
		r.Eventf(pod, "Normal", "Local", "%s, %s", message, node)
	}
}
