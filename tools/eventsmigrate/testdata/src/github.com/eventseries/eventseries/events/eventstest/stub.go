// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is a stub for the analyzers' tests.
package eventstest

import (
	"github.com/eventseries/eventseries/events"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

type FakeRecorder struct {
	Events        chan string
	IncludeObject bool
}

func NewFakeRecorder(bufferSize int) *FakeRecorder { return nil }

func (f *FakeRecorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {
}

func (f *FakeRecorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
}

func (f *FakeRecorder) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
}

func (f *FakeRecorder) WithLogger(logger klog.Logger) events.EventRecorderLogger { return f }
