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
type Narrow interface { // want "shapes\\.Narrow is exported and changes its type: users in other modules change with it"
	// Event records.
	Event(object runtime.Object, eventtype, reason, message string) // want "interface method Event gets the shape of the events API"
}

// Both has a plain and a formatting method.
type Both interface { // want "shapes\\.Both is exported and changes its type: users in other modules change with it"
	// Event records.
	Event(object runtime.Object, eventtype, reason, message string)                       // plain // want "Event is gone: Eventf does its work"
	Eventf(obj runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) // want "interface method Eventf gets the shape of the events API"
}

// prefixed forwards.
type prefixed struct {
	inner  record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
	prefix string
}

var _ record.EventRecorder = &prefixed{} // want "record\\.EventRecorder becomes events\\.EventRecorder"

func (p *prefixed) Event(object runtime.Object, eventtype, reason, message string) {
	p.inner.Event(object, eventtype, reason, p.prefix+message) // want "Event becomes Eventf with action reason"
}

func (p *prefixed) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) { // want "method Eventf gets the shape of the events API"
	p.inner.Eventf(object, eventtype, reason, p.prefix+messageFmt, args...) // want "Eventf becomes Eventf with action action"
}

func (p *prefixed) AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...interface{}) { // want "method AnnotatedEventf gets the shape of the events API"
	p.inner.AnnotatedEventf(object, annotations, eventtype, reason, p.prefix+messageFmt, args...) // want "AnnotatedEventf becomes Eventf with action action"
}

// collector is a mock that knows only Event.
type collector struct{ seen []string }

func (c *collector) Event(object runtime.Object, eventtype, reason, message string) { // want "method Event gets the shape of the events API"
	c.seen = append(c.seen, reason+": "+message)
}

// half does its work in Event alone.
type half struct{ seen []string }

func (h *half) Event(object runtime.Object, eventtype, reason, message string) {
	h.seen = append(h.seen, fmt.Sprint(reason, message))
}

func (h *half) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {} // want "method Eventf gets the shape of the events API"

func (h *half) AnnotatedEventf(runtime.Object, map[string]string, string, string, string, ...any) {} // want "method AnnotatedEventf gets the shape of the events API"

// taken has names that the new parameters would like to have.
type taken struct{}

func (taken) Eventf(o runtime.Object, eventtype, reason, note string, args ...any) { // want "method Eventf gets the shape of the events API"
	related, action := note, eventtype
	_, _ = related, action
}

func use(n Narrow, b Both, p *prefixed, c *collector, h *half, pod *corev1.Pod) {
	n.Event(pod, "Normal", "Narrow", "50%")            // want "Event becomes Eventf with action \"Narrow\""
	b.Event(pod, "Normal", "Both", "plain")            // want "Event becomes Eventf with action \"Both\""
	b.Eventf(pod, "Normal", "Both", "formatted %d", 1) // want "Eventf becomes Eventf with action \"Both\"" "under reason Both, \"formatted %d\" and \"plain\" \\(shapes\\.go:77\\) become one Event with the note that came first: another action, or WithNotes\\(events\\.NotesDistinct\\(n\\)\\) on the recorder, keeps them apart"
	p.Event(pod, "Normal", "Direct", "the method is still there")
	p.Eventf(pod, "Normal", "Direct", "formatted")               // want "Eventf becomes Eventf with action \"Direct\""
	p.AnnotatedEventf(pod, nil, "Normal", "Direct", "formatted") // want "AnnotatedEventf becomes Eventf with action \"Direct\""
	c.Event(pod, "Normal", "Direct", "on the mock")              // want "Event becomes Eventf with action \"Direct\""
	use(c, h, p, c, h, pod)
}

// embedded overrides one method of a recorder that is nil in tests.
type embedded struct {
	record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder" "embedded has no AnnotatedEventf any more: declare one if annotations are to pass through it"
	seen                 []string
}

func (e *embedded) Event(object runtime.Object, eventtype, reason, message string) { // want "method Event gets the shape of the events API"
	e.seen = append(e.seen, message)
}

// silent counts what is formatted; nothing calls its Event.
type silent struct{ count int }

// Event records nothing.
func (s *silent) Event(_ runtime.Object, _, _, message string) { fmt.Println(message) } // want "nothing calls this Event any more"

func (s *silent) Eventf(_ runtime.Object, _, _, _ string, _ ...any) { s.count++ } // want "method Eventf gets the shape of the events API"

func (s *silent) AnnotatedEventf(_ runtime.Object, _ map[string]string, _, _, _ string, _ ...any) {} // want "method AnnotatedEventf gets the shape of the events API"
