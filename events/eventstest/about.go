// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/reference"

	"github.com/eventseries/eventseries/internal/usercode"
)

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
		Kind: reflect.Indirect(reflect.ValueOf(o)).Type().Name(), Namespace: accessor.GetNamespace(),
		Name: accessor.GetName(), UID: accessor.GetUID(),
	}, true
}

// about selects the Events that regard object.
func about(object runtime.Object) func(*eventsv1.Event) bool {
	want, ok := refer(object)
	return func(event *eventsv1.Event) bool {
		got := &event.Regarding
		return ok && got.Kind == want.Kind && got.Namespace == want.Namespace && got.Name == want.Name &&
			(want.UID == "" || want.UID == got.UID)
	}
}

func selected(all []eventsv1.Event, wanted func(*eventsv1.Event) bool) []eventsv1.Event {
	return slices.DeleteFunc(all, func(event eventsv1.Event) bool { return !wanted(&event) })
}
