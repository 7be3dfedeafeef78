// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package client is a stub for the analyzers' tests.
package client

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

type Object interface {
	metav1.Object
	runtime.Object
}

type ObjectKey = types.NamespacedName

func ObjectKeyFromObject(obj Object) ObjectKey { return ObjectKey{} }

type CreateOption interface{ create() }

type Client interface {
	Get(ctx context.Context, key ObjectKey, obj Object) error
	Create(ctx context.Context, obj Object, opts ...CreateOption) error
}
