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

// Series is an Event without its name, times and versions, which differ from run to run. Without
// them, go-cmp can compare two Series without options.
type Series struct {
	// Type, Reason and Action are as stored by the API server, after any repair.
	Type, Reason, Action string
	// Note is the note that the API server stores: the note of the first occurrence.
	Note string
	// Regarding is the object that the Event is about. Related is the second object, or empty if
	// there is none.
	Regarding, Related Object
	// Labels and Annotations are the labels and annotations of the Event, or nil if it has none.
	Labels, Annotations map[string]string
	// Count is the number of occurrences. It is 1 for an Event without a series.
	Count int
}

// Object identifies an object of the cluster.
type Object struct {
	// Kind, Namespace and Name identify the object. Namespace is empty for a cluster-scoped object.
	Kind, Namespace, Name string
	// FieldPath names the part of the object that the Event is about, such as spec.containers{web}.
	// It is usually empty.
	FieldPath string
}

// String returns the object in a readable form, such as "Pod default/web".
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

// String returns the series on one line, such as
//
//	Warning ScaleFailed (Scale) Deployment default/web x3: "etcd is down"
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

// object converts a reference to an Object.
func object(ref *corev1.ObjectReference) Object {
	return Object{
		Kind:      ref.Kind,
		Namespace: ref.Namespace,
		Name:      ref.Name,
		FieldPath: ref.FieldPath,
	}
}

// summary returns the Series of an Event.
func summary(event *eventsv1.Event) Series {
	s := Series{
		Type:        event.Type,
		Reason:      event.Reason,
		Action:      event.Action,
		Note:        event.Note,
		Regarding:   object(&event.Regarding),
		Labels:      nonEmpty(event.Labels),
		Annotations: nonEmpty(event.Annotations),
		// Package eventview finds the count of every recorder, even if it is only in a field of
		// core/v1.
		Count: int(eventview.FromEventsV1(event).Count),
	}
	if event.Related != nil {
		s.Related = object(event.Related)
	}
	return s
}

// nonEmpty returns a copy of m, or nil if m is empty.
func nonEmpty(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}

// SeriesOf returns a Series for each of events, for example for the Events of a [Sink] or a
// [Clientset].
func SeriesOf(events ...eventsv1.Event) []Series {
	var list []Series
	for i := range events {
		list = append(list, summary(&events[i]))
	}
	return list
}

// lines returns the text of each series on a line of its own.
func lines(all []Series) string {
	var text strings.Builder
	for _, s := range all {
		fmt.Fprintln(&text, s)
	}
	return text.String()
}

// refer returns a reference to an object of a test. If client-go's scheme does not know the kind,
// refer uses the name of the Go type, which by convention is the kind. It returns false if o is nil
// or not an API object.
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
