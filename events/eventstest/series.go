// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/reference"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Series is an Event without what is generated or measured: no name, no time, no version. Two runs of a test have equal
// ones, so that go-cmp compares them without options.
type Series struct {
	// Type, Reason and Action are as the API server has them, after repair.
	Type, Reason, Action string
	// Note is the first occurrence's, but for events.NotesDistinct.
	Note string
	// Regarding is what it happened to, Related the other object concerned, empty without one.
	Regarding, Related Object
	// Labels and Annotations are the Event's, nil without any.
	Labels, Annotations map[string]string
	// Count is how many occurrences there were, 1 for an Event that is no series.
	Count int
}

// Object names an object of the cluster for a reader.
type Object struct {
	// Kind, Namespace and Name say which object; Namespace is empty for a cluster-scoped one.
	Kind, Namespace, Name string
	// FieldPath is a part of the object, such as spec.containers{web}, and mostly empty.
	FieldPath string
}

// String is the object as kubectl's users write it.
func (o Object) String() string {
	var s strings.Builder
	s.WriteString(cmp.Or(o.Kind, "object") + " ")
	if o.Namespace != "" {
		s.WriteString(o.Namespace + "/")
	}
	s.WriteString(o.Name)
	if o.FieldPath != "" {
		s.WriteString(" " + o.FieldPath)
	}
	return s.String()
}

// String is the series on one line.
func (s Series) String() string {
	line := fmt.Sprintf("%s %s (%s) %v", s.Type, s.Reason, s.Action, s.Regarding)
	if s.Related != (Object{}) {
		line += fmt.Sprintf(" with %v", s.Related)
	}
	line += fmt.Sprintf(" x%d: %q", s.Count, s.Note)
	if len(s.Labels) > 0 {
		line += fmt.Sprintf(" labels %v", s.Labels)
	}
	if len(s.Annotations) > 0 {
		line += fmt.Sprintf(" %v", s.Annotations)
	}
	return line
}

func object(ref *corev1.ObjectReference) Object {
	return Object{
		Kind:      ref.Kind,
		Namespace: ref.Namespace,
		Name:      ref.Name,
		FieldPath: ref.FieldPath,
	}
}

func summary(event *eventsv1.Event) Series {
	s := Series{
		Type:        event.Type,
		Reason:      event.Reason,
		Action:      event.Action,
		Note:        event.Note,
		Regarding:   object(&event.Regarding),
		Labels:      nonEmpty(event.Labels),
		Annotations: nonEmpty(event.Annotations),
		Count:       int(eventview.FromEventsV1(event).Count), // whichever recorder has counted
	}
	if event.Related != nil {
		s.Related = object(event.Related)
	}
	return s
}

// nonEmpty returns a copy of m, and nil if it is empty.
func nonEmpty(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}

// SeriesOf returns events, a [Sink]'s or a [Clientset]'s say, without what is generated or measured.
func SeriesOf(events ...eventsv1.Event) []Series {
	var list []Series
	for i := range events {
		list = append(list, summary(&events[i]))
	}
	return list
}

// lines lists series, one on each line.
func lines(all []Series) string {
	var text strings.Builder
	for _, s := range all {
		fmt.Fprintln(&text, s)
	}
	return text.String()
}

// refer returns a reference to an object of a test. An unregistered kind is the name of the Go type, by convention. The
// result is false if there is no object.
func refer(o runtime.Object) (corev1.ObjectReference, bool) {
	if usercode.IsNil(o) {
		return corev1.ObjectReference{}, false
	}
	if ref, err := reference.GetReference(scheme.Scheme, o); err == nil {
		return *ref, true
	}
	accessor, err := meta.Accessor(o)
	if err != nil {
		return corev1.ObjectReference{}, false
	}
	return corev1.ObjectReference{
		Kind:      reflect.Indirect(reflect.ValueOf(o)).Type().Name(),
		Namespace: accessor.GetNamespace(),
		Name:      accessor.GetName(),
	}, true
}
