// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Object is an object that the storm records Events about. It need not be on the server.
type Object interface {
	runtime.Object
	metav1.Object
}

// Pods returns n pods in each of the namespaces.
func Pods(n int, namespaces ...string) (objects []Object) {
	for _, namespace := range namespaces {
		for i := range n {
			objects = append(objects, Pod(namespace, fmt.Sprintf("web-%d", i)))
		}
	}
	return objects
}

// Pod returns a pod.
func Pod(namespace, name string) Object {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(namespace + "/" + name),
	}}
}

// Recreated returns n pods of the same names as [Pods], which are others.
func Recreated(n int, namespace string) []Object {
	pods := Pods(n, namespace)
	for _, pod := range pods {
		pod.SetUID(pod.GetUID() + recreated)
	}
	return pods
}

const recreated = "/recreated"

// IsRecreated reports whether the UID is that of an object that Recreated made.
func IsRecreated(uid types.UID) bool { return strings.HasSuffix(string(uid), recreated) }

// Node returns a node. Its Events are in the namespace default.
func Node(name string) Object {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
}
