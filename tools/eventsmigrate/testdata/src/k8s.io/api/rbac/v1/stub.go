// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Role struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (r *Role) DeepCopyObject() runtime.Object { return r }

type RoleBinding struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (r *RoleBinding) DeepCopyObject() runtime.Object { return r }

var AddToScheme = func(scheme *runtime.Scheme) error { return nil }
