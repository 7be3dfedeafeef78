// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package shapes has wrappers, mocks and interfaces in the shape of the old
// recorder.
package shapes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// Narrow is all that some code needs.
type Narrow interface {
	// Event records.
	Event(object runtime.Object, eventtype, reason, message string)
}

// Both has a plain and a formatting method.
type Both interface {
	// Event records.
	Event(object runtime.Object, eventtype, reason, message string) // plain
	Eventf(obj runtime.Object, eventtype, reason, messageFmt string, args ...interface{})
}

// prefixed forwards.
type prefixed struct {
	inner  record.EventRecorder
	prefix string
}

var _ record.EventRecorder = &prefixed{}

func (p *prefixed) Event(object runtime.Object, eventtype, reason, message string) {
	p.inner.Event(object, eventtype, reason, p.prefix+message)
}

func (p *prefixed) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) {
	p.inner.Eventf(object, eventtype, reason, p.prefix+messageFmt, args...)
}

func (p *prefixed) AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...interface{}) {
	p.inner.AnnotatedEventf(object, annotations, eventtype, reason, p.prefix+messageFmt, args...)
}

// collector is a mock that knows only Event.
type collector struct{ seen []string }

func (c *collector) Event(object runtime.Object, eventtype, reason, message string) {
	c.seen = append(c.seen, reason+": "+message)
}

// half does its work in Event alone.
type half struct{ seen []string }

func (h *half) Event(object runtime.Object, eventtype, reason, message string) {
	h.seen = append(h.seen, fmt.Sprint(reason, message))
}

func (h *half) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {}

func (h *half) AnnotatedEventf(runtime.Object, map[string]string, string, string, string, ...any) {}

// taken has names that the new parameters would like to have.
type taken struct{}

func (taken) Eventf(o runtime.Object, eventtype, reason, note string, args ...any) {
	related, action := note, eventtype
	_, _ = related, action
}

func use(n Narrow, b Both, p *prefixed, c *collector, h *half, pod *corev1.Pod) {
	n.Event(pod, "Normal", "Narrow", "50%")
	b.Event(pod, "Normal", "Both", "plain")
	b.Eventf(pod, "Normal", "Both", "formatted %d", 1)
	p.Event(pod, "Normal", "Direct", "the method is still there")
	p.Eventf(pod, "Normal", "Direct", "formatted")
	p.AnnotatedEventf(pod, nil, "Normal", "Direct", "formatted")
	c.Event(pod, "Normal", "Direct", "on the mock")
	use(c, h, p, c, h, pod)
}

// embedded overrides one method of a recorder that is nil in tests.
type embedded struct {
	record.EventRecorder
	seen []string
}

func (e *embedded) Event(object runtime.Object, eventtype, reason, message string) {
	e.seen = append(e.seen, message)
}

// silent counts what is formatted; nothing calls its Event.
type silent struct{ count int }

// Event records nothing.
func (s *silent) Event(_ runtime.Object, _, _, message string) { fmt.Println(message) }

func (s *silent) Eventf(_ runtime.Object, _, _, _ string, _ ...any) { s.count++ }

func (s *silent) AnnotatedEventf(_ runtime.Object, _ map[string]string, _, _, _ string, _ ...any) {}

// nameless does its work in Event, and its Eventf has no name for the receiver.
type nameless struct{ seen *[]string }

func (n nameless) Event(_ runtime.Object, _, reason, message string) {
	*n.seen = append(*n.seen, reason+message)
}

func (nameless) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {}

func (_ nameless) AnnotatedEventf(o runtime.Object, a map[string]string, eventtype, reason, format string, args ...any) {
}
