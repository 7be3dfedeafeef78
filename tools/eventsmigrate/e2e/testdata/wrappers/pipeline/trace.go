//go:build !trace

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pipeline

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

// trace does nothing without the build tag.
func trace(record.EventRecorder, *corev1.ConfigMap) {}
