// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// FakeRecorder is client-go's record.FakeRecorder with the methods of the new API: the
// same fields, and the same strings in the channel. So a test that reads the channel
// migrates by a change of names. A new test is better off with eventstest.NewRecorder,
// which checks what the API server would, and never blocks.
//
// It may be used as a literal. Without a channel it throws all events away. It is safe
// for concurrent use.
type FakeRecorder struct {
	// Events gets a string per event: "Normal Scaled to 3 replicas". What is regarded
	// and the annotations come last, what is related and the action are left out. While
	// the channel is full, the caller blocks.
	Events chan string
	// IncludeObject adds kind and apiVersion of the object, as far as it carries them.
	IncludeObject bool
}

// NewFakeRecorder returns a fake with a channel of bufferSize.
func NewFakeRecorder(bufferSize int) *FakeRecorder {
	return &FakeRecorder{Events: make(chan string, bufferSize)}
}

// Eventf sends the event to the channel.
func (f *FakeRecorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	f.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// AnnotatedEventf is Eventf with annotations.
func (f *FakeRecorder) AnnotatedEventf(
	regarding, _ runtime.Object, annotations map[string]string,
	eventtype, reason, _, note string, args ...any,
) {
	old := record.FakeRecorder{Events: f.Events, IncludeObject: f.IncludeObject}
	old.AnnotatedEventf(regarding, annotations, eventtype, reason, note, args...)
}

// WithLogger returns the fake itself.
func (f *FakeRecorder) WithLogger(klog.Logger) EventRecorderLogger { return f }
