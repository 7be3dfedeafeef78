// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	EventTypeNormal  = "Normal"
	EventTypeWarning = "Warning"
)

type Pod struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec PodSpec
}

type PodSpec struct{ NodeName string }

func (p *Pod) DeepCopyObject() runtime.Object { return p }

type Node struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (n *Node) DeepCopyObject() runtime.Object { return n }

type ObjectReference struct {
	Kind, Namespace, Name, APIVersion, ResourceVersion, FieldPath string
}

func (r *ObjectReference) GetObjectKind() schema.ObjectKind { return nil }
func (r *ObjectReference) DeepCopyObject() runtime.Object   { return r }

type EventSource struct{ Component, Host string }

type Event struct {
	Reason, Message string
}
