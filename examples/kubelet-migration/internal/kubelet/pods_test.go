// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestStatusWriteMakesANewVersion(t *testing.T) {
	pods := NewPods()
	pods.Add(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", UID: "u"}})
	first := pods.Get("u")
	pods.UpdateStatus("u", corev1.PodStatus{Phase: corev1.PodRunning})
	second := pods.Get("u")
	pods.UpdateStatus("u", corev1.PodStatus{Phase: corev1.PodRunning})
	third := pods.Get("u")

	if first.ResourceVersion == second.ResourceVersion || second.Status.Phase != corev1.PodRunning {
		t.Errorf("first %+v, after a write %+v, want another version", first, second)
	}
	if first.Status.Phase != "" {
		t.Error("the write changed what was handed out before")
	}
	if third != second {
		t.Error("a write without a change made a new version")
	}
}

func TestPodThatIsGone(t *testing.T) {
	pods := NewPods()
	pods.Add(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "u"}})
	pods.Delete("u")
	pods.UpdateStatus("u", corev1.PodStatus{Phase: corev1.PodRunning})
	if got := pods.Get("u"); got != nil {
		t.Errorf("Get = %v, want nil", got)
	}
}
