// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/reference"
)

// The reasons are those of kubelet, people alert on them.
const (
	reasonStarting = "Starting"
	reasonPulling  = "Pulling"
	reasonPulled   = "Pulled"
	reasonCreated  = "Created"
	reasonStarted  = "Started"
	reasonFailed   = "Failed"
	reasonBackOff  = "BackOff"
	reasonKilling  = "Killing"
)

// The actions say what the kubelet was doing. They keep apart what shares a
// reason: a pull that backs off from a restart that backs off.
const (
	actionStartKubelet = "StartKubelet"
	actionPull         = "PullImage"
	actionStart        = "StartContainer"
	actionStop         = "StopContainer"
)

// containerRef refers to one container of a pod.
func containerRef(pod *corev1.Pod, container string) *corev1.ObjectReference {
	ref, err := reference.GetPartialReference(scheme.Scheme, pod, "spec.containers{"+container+"}")
	if err != nil {
		return nil // only for types that are not in the scheme
	}
	return ref
}

// normal and warning record one occurrence about a container.
func (w *worker) normal(container, reason, action, note string, args ...any) {
	w.record(container, corev1.EventTypeNormal, what{reason, action}, note, args...)
}

func (w *worker) warning(container, reason, action, note string, args ...any) {
	w.record(container, corev1.EventTypeWarning, what{reason, action}, note, args...)
}

type what struct{ reason, action string }

func (w *worker) record(container, eventType string, what what, note string, args ...any) {
	regarding := containerRef(w.k.pods.Get(w.uid), container)
	w.k.recorder.Eventf(regarding, w.k.node, eventType, what.reason, what.action, note, args...)
}
