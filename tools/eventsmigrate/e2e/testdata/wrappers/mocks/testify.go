// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mocks has recorders for tests.
package mocks

import (
	"github.com/stretchr/testify/mock"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Recorder is a mock of record.EventRecorder.
type Recorder struct {
	mock.Mock
}

var _ record.EventRecorder = &Recorder{}

// Event provides a mock function.
func (m *Recorder) Event(object runtime.Object, eventtype, reason, message string) {
	m.Called(object, eventtype, reason, message)
}

// Eventf provides a mock function.
func (m *Recorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) {
	m.Called(object, eventtype, reason, messageFmt, args)
}

// AnnotatedEventf provides a mock function.
func (m *Recorder) AnnotatedEventf(
	object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...interface{},
) {
	m.Called(object, annotations, eventtype, reason, messageFmt, args)
}
