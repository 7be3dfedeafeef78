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
	r.Eventf(pod, nil, "Normal", fmt.Sprintf("Scaled%d", n), "Scale", "done")              // want `the reason is built at run time \(fmt.Sprintf\), so that every value is a series of its own`
	r.Eventf(pod, nil, "Normal", "Scaled"+strconv.Itoa(n), "Scale", "done")                // want `the reason is built at run time \(strconv.Itoa\)`
	r.Eventf(pod, nil, "Normal", "Scaled"+pod.Name, "Scale", "done")                       // want `the reason is built at run time \(the Name of an object\)`
	r.Eventf(pod, nil, "Normal", obj.GetName(), "Scale", "done")                           // want `the reason is built at run time \(the Name of an object\)`
	r.Eventf(pod, nil, "Normal", err.Error(), "Scale", "done")                             // want `the reason is built at run time \(the text of an error\)`
	r.Eventf(pod, nil, "Normal", "Scaled", string(pod.UID), "done")                        // want `the action is built at run time \(the UID of an object\)`
	r.Eventf(pod, nil, "Normal", "Scaled", time.Now().String(), "done")                    // want `the action is built at run time \(a time\)`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale"+strings.ToLower(pod.Namespace), "done") // want `the action is built at run time \(the Namespace of an object\)`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale"+suffix(n), "done")                      // want `the action is built at run time \(fmt.Sprint\)`
	r.Eventf(pod, nil, "Normal", "Scaled", "Scale"+string(p), "done")                      // want `the action is built at run time \(a concatenation\)`
	r.Eventf(pod, nil, "Normal", string(p), strings.TrimSpace(" Scale"), "done")
}

func suffix(n int) string { return fmt.Sprint(rand.Intn(n)) }

func followed(r record.EventRecorder, pod *corev1.Pod, name types.NamespacedName, kinds []string) {
	reason := "Scaled"
	for _, kind := range kinds {
		reason += kind
	}
	r.Event(pod, "Normal", reason, "done") // want `the reason is built at run time \(a concatenation\)`
	where := name.String()
	r.Event(pod, "Normal", where, "done")          // want `the reason is built at run time \(the name of an object\)`
	r.Event(pod, "Normal", describe(name), "done") // want `the reason is built at run time \(the Name of an object\)`
	r.Event(pod, "Normal", kinds[0], "done")
	announce(r, pod, "Scaled"+kinds[0]) // want `the reason is built at run time \(a concatenation\)`
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
	r.Eventf(pod, nil, "Normal", "Scaled", message, "%s", message) // want `the action is the text of the note as well`
	r.Eventf(pod, nil, "Normal", reason, reason, "%s: %s", reason, message)
}
