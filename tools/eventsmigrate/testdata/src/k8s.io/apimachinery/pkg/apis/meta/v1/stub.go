// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

type TypeMeta struct{ Kind, APIVersion string }

func (t *TypeMeta) GetObjectKind() schema.ObjectKind          { return t }
func (t *TypeMeta) GroupVersionKind() schema.GroupVersionKind { return schema.GroupVersionKind{} }

type ObjectMeta struct {
	Name, GenerateName, Namespace, ResourceVersion string
	UID                                            types.UID
	CreationTimestamp                              Time
}

func (m *ObjectMeta) GetName() string            { return m.Name }
func (m *ObjectMeta) GetNamespace() string       { return m.Namespace }
func (m *ObjectMeta) GetUID() types.UID          { return m.UID }
func (m *ObjectMeta) GetResourceVersion() string { return m.ResourceVersion }

type Object interface {
	GetName() string
	GetNamespace() string
}

type Time struct{ time.Time }

func Now() Time { return Time{} }

type (
	CreateOptions struct{}
	UpdateOptions struct{}
	GetOptions    struct{}
)
