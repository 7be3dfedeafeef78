// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package statuskit is a library of somebody else that knows the old recorder only.
package statuskit

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Options are what New needs.
type Options struct {
	Recorder record.EventRecorder
	// Emit, if set, is called in place of the Recorder's Eventf.
	Emit EmitFunc
}

// EmitFunc has the shape of Eventf.
type EmitFunc func(object runtime.Object, eventtype, reason, messageFmt string, args ...any)

// Reporter tells of phases.
type Reporter struct{ options Options }

// New returns a Reporter.
func New(options Options) *Reporter { return &Reporter{options: options} }

// NewReporter returns a Reporter over recorder.
func NewReporter(recorder record.EventRecorder) *Reporter { return New(Options{Recorder: recorder}) }

// Phase tells that object is in a phase.
func (r *Reporter) Phase(object runtime.Object, phase string) {
	if r.options.Emit != nil {
		r.options.Emit(object, corev1.EventTypeNormal, "Phase"+phase, "The phase is %s", phase)
		return
	}
	r.options.Recorder.Eventf(object, corev1.EventTypeNormal, "Phase"+phase, "The phase is %s", phase)
}

// Recorder returns what the Reporter records through.
func (r *Reporter) Recorder() record.EventRecorder { return r.options.Recorder }

// Component is something that is given its recorder.
type Component interface {
	InjectRecorder(recorder record.EventRecorder)
}

// Inject gives recorder to all of components.
func Inject(recorder record.EventRecorder, components ...Component) {
	for _, c := range components {
		c.InjectRecorder(recorder)
	}
}
