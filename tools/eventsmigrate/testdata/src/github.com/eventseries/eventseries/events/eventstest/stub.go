// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is a stub for the analyzers' tests.
package eventstest

import (
	"k8s.io/apimachinery/pkg/runtime"
)

type FakeRecorder struct {
	Events        chan string
	IncludeObject bool
}

func NewFakeRecorder(bufferSize int) *FakeRecorder { return nil }

func (f *FakeRecorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
}
