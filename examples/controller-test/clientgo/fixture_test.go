// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	replicas "github.com/eventseries/eventseries/examples/controller-test"
)

// deployment returns one of a single replica whose annotation asks for others.
func deployment(name, asks string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: "1", Annotations: map[string]string{replicas.Annotation: asks},
	}}
}
