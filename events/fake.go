// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

// FakeRecorder is client-go's record.FakeRecorder with the methods of the new API. It has the same
// fields and sends the same strings to the channel, so a test that reads the channel migrates by
// renaming identifiers. New tests should use eventstest.NewRecorder instead, which checks Events as
// the API server does and never blocks.
//
// A FakeRecorder may be created as a struct literal. If its channel is nil, it discards all Events.
// It is safe for concurrent use.
type FakeRecorder struct {
	// Events receives one string for each call, such as "Normal Scaled to 3 replicas". If
	// IncludeObject is set, the regarding object is appended, and then the annotations. The related
	// object and the action are omitted. A call blocks while the channel is full.
	Events chan string
	// IncludeObject adds the kind and the apiVersion of the regarding object to each string. Both
	// are empty if the object does not contain them.
	IncludeObject bool
}

// NewFakeRecorder returns a FakeRecorder whose channel has a buffer for bufferSize strings.
func NewFakeRecorder(bufferSize int) *FakeRecorder {
	return &FakeRecorder{Events: make(chan string, bufferSize)}
}

// Eventf formats the Event as a string and sends it to the channel.
func (f *FakeRecorder) Eventf(
	regarding, related runtime.Object, eventtype, reason, action, note string, args ...any,
) {
	f.AnnotatedEventf(regarding, related, nil, eventtype, reason, action, note, args...)
}

// AnnotatedEventf is like Eventf, and adds the annotations to the string.
func (f *FakeRecorder) AnnotatedEventf(
	regarding, _ runtime.Object, annotations map[string]string,
	eventtype, reason, _, note string, args ...any,
) {
	old := record.FakeRecorder{Events: f.Events, IncludeObject: f.IncludeObject}
	old.AnnotatedEventf(regarding, annotations, eventtype, reason, note, args...)
}

// WithLogger returns f itself, because f does not log.
func (f *FakeRecorder) WithLogger(klog.Logger) EventRecorderLogger { return f }
