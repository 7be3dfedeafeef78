// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package events is a stub for the analyzers' tests.
package events

import (
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

type (
	EventRecorder       = clientevents.EventRecorder
	EventRecorderLogger = clientevents.EventRecorderLogger
)

func AnnotatedEventf(recorder EventRecorder, regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
}

type (
	Option     func()
	Sink       interface{}
	NotePolicy struct{ policy int }
)

func NotesDistinct(n int) NotePolicy                             { return NotePolicy{n} }
func WithNotePolicy(policy NotePolicy, reasons ...string) Option { return nil }

type FakeRecorder struct {
	Events        chan string
	IncludeObject bool
}

func NewFakeRecorder(bufferSize int) *FakeRecorder { return nil }

func (f *FakeRecorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
}

type Broadcaster struct{}

func NewBroadcaster(sink Sink, opts ...Option) *Broadcaster { return nil }

func (b *Broadcaster) StartRecordingToSink(stopCh <-chan struct{}) {}
func (b *Broadcaster) Shutdown()                                   {}

type Recorder struct{}

func (r *Recorder) Event(regarding, related runtime.Object, eventtype, reason, action, note string) {}
func (r *Recorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
}

func (r *Recorder) WithNotePolicy(policy NotePolicy) *Recorder        { return r }
func (r *Recorder) WithLogger(logger klog.Logger) EventRecorderLogger { return r }
