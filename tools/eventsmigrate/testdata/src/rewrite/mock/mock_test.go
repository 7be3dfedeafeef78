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
	record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder" "recorderMock has no AnnotatedEventf any more: declare one if annotations are to pass through it"
	mock.Mock
}

func (m *recorderMock) Event(object runtime.Object, eventtype, reason, message string) { // want "method Event gets the shape of the events API"
	m.Called(object, eventtype, reason, message)
}

// MockEventRecorder is as mockgen writes it.
type MockEventRecorder struct {
	recorder *MockEventRecorderMockRecorder
}

type MockEventRecorderMockRecorder struct{ mock *MockEventRecorder }

func (m *MockEventRecorder) EXPECT() *MockEventRecorderMockRecorder { return m.recorder }

func (m *MockEventRecorder) Event(object runtime.Object, eventtype, reason, message string) {}

func (m *MockEventRecorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) { // want "method Eventf gets the shape of the events API"
}

func (mr *MockEventRecorderMockRecorder) Event(object, eventtype, reason, message any) *gomock.Call {
	return nil
}

func (mr *MockEventRecorderMockRecorder) Eventf(object, eventtype, reason, messageFmt any, args ...any) *gomock.Call {
	return nil
}

type other struct{ mock.Mock }

func TestTestify(t *testing.T) {
	m := &recorderMock{}
	m.On("Event", mock.Anything, "Normal", "Created", "made")              // want "nothing calls Event any more: expect \"Eventf\" with what the mock's Eventf\\(regarding, related, eventtype, reason, action, note, args\\.\\.\\.\\) hands to Called"
	m.Event(&corev1.Pod{}, "Normal", "Created", "made")                    // want "Event becomes Eventf with action \"Created\""
	m.AssertCalled(t, "Event", mock.Anything, "Normal", "Created", "made") // want "nothing calls Event any more: expect \"Eventf\" with what the mock's Eventf\\(regarding, related, eventtype, reason, action, note, args\\.\\.\\.\\) hands to Called"
	m.AssertNumberOfCalls(t, "Event", 1)                                   // want "nothing calls Event any more: expect \"Eventf\" with what the mock's Eventf\\(regarding, related, eventtype, reason, action, note, args\\.\\.\\.\\) hands to Called"
	new(other).On("Event", mock.Anything)
}

func TestGomock(t *testing.T) {
	m := &MockEventRecorder{}
	m.EXPECT().Event(gomock.Any(), "Normal", "Created", "made")  // want "Event is Eventf\\(regarding, related, eventtype, reason, action, note, args\\.\\.\\.\\) in the events API: generate the mock anew and expect that"
	m.EXPECT().Eventf(gomock.Any(), "Normal", "Created", "made") // want "Eventf is Eventf\\(regarding, related, eventtype, reason, action, note, args\\.\\.\\.\\) in the events API: generate the mock anew and expect that"
	m.Event(&corev1.Pod{}, "Normal", "Created", "made")
}
