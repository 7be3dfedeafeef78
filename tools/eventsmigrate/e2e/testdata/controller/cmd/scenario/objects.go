// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"example.com/podwatch/pkg/copies"
	"example.com/podwatch/pkg/pods"
)

// objects are what there is at the beginning.
func objects() []runtime.Object {
	old := pod("old", "1h")
	old.Spec.NodeName = "node-1"
	restarting := pod("restarting", "")
	restarting.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", RestartCount: 7}}
	crashing := pod("crashing", "")
	crashing.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "main", RestartCount: 9,
		LastTerminationState: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{Reason: "100%CPU", ExitCode: 2},
		},
	}}
	stale := config("b", "stale")
	stale.Labels = map[string]string{"podwatch.example.com/copy-of": "a"}
	return []runtime.Object{
		old, restarting, crashing, pod("young", "87600h"), pod("odd", "100%d"),
		source("fresh", "b"), source("stale", "b"), stale, source("taken", "b"), config("b", "taken"), source("wild", "*"),
	}
}

func pod(name, maxAge string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "a", Name: name, UID: types.UID("uid-of-" + name),
		CreationTimestamp: metav1.NewTime(time.Now().Add(-2 * time.Hour)),
	}}
	if maxAge != "" {
		p.Annotations = map[string]string{pods.MaxAge: maxAge}
	}
	return p
}

func source(name string, to ...string) *corev1.ConfigMap {
	c := config("a", name)
	c.Annotations = map[string]string{copies.CopyTo: strings.Join(to, ",")}
	c.Data = map[string]string{"key": "value"}
	return c
}

func config(namespace, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(namespace + "-" + name)},
	}
}
