// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package klog is a stub for the analyzers' tests.
package klog

type Level int32

type Logger struct{}

type ObjectRef struct{ Name, Namespace string }

type KMetadata interface {
	GetName() string
	GetNamespace() string
}

func KObj(obj KMetadata) ObjectRef { return ObjectRef{} }

func Infof(format string, args ...interface{}) {}
