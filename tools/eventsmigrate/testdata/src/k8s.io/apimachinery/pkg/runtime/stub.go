// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtime is a stub for the analyzers' tests.
package runtime

import "k8s.io/apimachinery/pkg/runtime/schema"

type Object interface {
	GetObjectKind() schema.ObjectKind
	DeepCopyObject() Object
}

type Scheme struct{}

func NewScheme() *Scheme { return &Scheme{} }

type SchemeBuilder []func(*Scheme) error

func (b *SchemeBuilder) AddToScheme(scheme *Scheme) error { return nil }
