// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package resourcelock is a stub for the analyzers' tests.
package resourcelock

import "k8s.io/apimachinery/pkg/runtime"

type EventRecorder interface {
	Eventf(obj runtime.Object, eventType, reason, message string, args ...interface{})
}

type ResourceLockConfig struct {
	EventRecorder EventRecorder
}

type LeaseLock struct{ LockConfig ResourceLockConfig }
