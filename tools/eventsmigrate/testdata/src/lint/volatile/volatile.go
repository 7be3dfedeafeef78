// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package volatile

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type phase string

func reasons(r events.EventRecorder, pod *corev1.Pod, obj client.Object, err error, n int, p phase) {
	r.Eventf(pod, nil, "Normal", fmt.Sprintf("Scaled%d", n), "Scale", "done")
	r.Eventf(pod, nil, "Normal", "Scaled"+strconv.Itoa(n), "Scale", "done")
	r.Eventf(pod, nil, "Normal", "Scaled"+pod.Name, "Scale", "done")
	r.Eventf(pod, nil, "Normal", obj.GetName(), "Scale", "done")
	r.Eventf(pod, nil, "Normal", err.Error(), "Scale", "done")
	r.Eventf(pod, nil, "Normal", "Scaled", string(pod.UID), "done")
	r.Eventf(pod, nil, "Normal", "Scaled", time.Now().String(), "done")
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale"+strings.ToLower(pod.Namespace), "done")
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale"+suffix(n), "done")
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale"+string(p), "done")
	r.Eventf(pod, nil, "Normal", string(p), strings.TrimSpace(" Scale"), "done")
}

func suffix(n int) string { return fmt.Sprint(rand.Intn(n)) }

func followed(r record.EventRecorder, pod *corev1.Pod, name types.NamespacedName, kinds []string) {
	reason := "Scaled"
	for _, kind := range kinds {
		reason += kind
	}
	r.Event(pod, "Normal", reason, "done")
	where := name.String()
	r.Event(pod, "Normal", where, "done")
	r.Event(pod, "Normal", describe(name), "done")
	r.Event(pod, "Normal", kinds[0], "done")
	announce(r, pod, "Scaled"+kinds[0])
}

func announce(r record.EventRecorder, pod *corev1.Pod, reason string) {
	r.Event(pod, "Normal", reason, "done")
}

func describe(name types.NamespacedName) string {
	if name.Namespace == "" {
		return "Cluster"
	}
	return name.Name
}

func twice(r events.EventRecorder, pod *corev1.Pod, reason, message string) {
	r.Eventf(pod, nil, "Normal", "Scaled", message, "%s", message)
	r.Eventf(pod, nil, "Normal", reason, reason, "%s: %s", reason, message)
}
