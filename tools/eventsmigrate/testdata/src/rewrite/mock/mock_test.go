// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mocks has mocks of the old recorder.
package mocks

import (
	"testing"

	"github.com/stretchr/testify/mock"
	"go.uber.org/mock/gomock"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

type recorderMock struct {
	record.EventRecorder
	mock.Mock
}

func (m *recorderMock) Event(object runtime.Object, eventtype, reason, message string) {
	m.Called(object, eventtype, reason, message)
}

// MockEventRecorder is as mockgen writes it.
type MockEventRecorder struct {
	recorder *MockEventRecorderMockRecorder
}

type MockEventRecorderMockRecorder struct{ mock *MockEventRecorder }

func (m *MockEventRecorder) EXPECT() *MockEventRecorderMockRecorder { return m.recorder }

func (m *MockEventRecorder) Event(object runtime.Object, eventtype, reason, message string) {}

func (m *MockEventRecorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
}

func (mr *MockEventRecorderMockRecorder) Event(object, eventtype, reason, message any) *gomock.Call {
	return nil
}

func (mr *MockEventRecorderMockRecorder) Eventf(object, eventtype, reason, messageFmt any, args ...any) *gomock.Call {
	return nil
}

// forwarding has an Eventf that will call Event.
type forwarding struct{ mock.Mock }

func (f *forwarding) Event(object runtime.Object, eventtype, reason, message string) {
	f.Called(object, eventtype, reason, message)
}

func (*forwarding) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {}

type other struct{ mock.Mock }

func TestTestify(t *testing.T) {
	m := &recorderMock{}
	m.On("Event", mock.Anything, "Normal", "Created", "made")
	m.Event(&corev1.Pod{}, "Normal", "Created", "made")
	m.AssertCalled(t, "Event", mock.Anything, "Normal", "Created", "made")
	m.AssertNumberOfCalls(t, "Event", 1)
	new(forwarding).On("Event", mock.Anything, "Normal", "Created", "made")
	new(other).On("Event", mock.Anything)
}

func TestGomock(t *testing.T) {
	m := &MockEventRecorder{}
	m.EXPECT().Event(gomock.Any(), "Normal", "Created", "made")
	m.EXPECT().Eventf(gomock.Any(), "Normal", "Created", "made")
	m.Event(&corev1.Pod{}, "Normal", "Created", "made")
}
