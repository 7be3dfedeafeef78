// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// differences returns a line for each field in which got differs from want, or "" if there is none.
// It ignores additional annotations, other metadata, and the fields that only readers of core/v1
// use, because a sink may set them.
func differences(want, got *eventsv1.Event) (lines string) {
	wanted := compared(want, want.Annotations)
	answered := compared(got, want.Annotations)
	all := maps.Clone(wanted)
	maps.Copy(all, answered)
	for _, field := range slices.Sorted(maps.Keys(all)) {
		if !apiequality.Semantic.DeepEqual(wanted[field], answered[field]) {
			lines += fmt.Sprintf("\n  %s: %v, want %v", field, answered[field], wanted[field])
		}
	}
	return lines
}

// compared returns the fields of event that a sink must keep, keyed by their JSON names. It
// includes only the annotations whose names are in wanted.
func compared(event *eventsv1.Event, wanted map[string]string) map[string]any {
	kept := *event
	annotations := maps.Clone(event.Annotations)
	maps.DeleteFunc(annotations, func(key, _ string) bool { _, ok := wanted[key]; return !ok })
	kept.TypeMeta = metav1.TypeMeta{}
	kept.ObjectMeta = metav1.ObjectMeta{
		Namespace:   event.Namespace,
		Name:        event.Name,
		Annotations: annotations,
	}
	kept.DeprecatedSource = corev1.EventSource{}
	kept.DeprecatedCount = 0
	kept.DeprecatedFirstTimestamp = metav1.Time{}
	kept.DeprecatedLastTimestamp = metav1.Time{}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&kept)
	if err != nil {
		// An Event can always be converted.
		panic(err)
	}
	return fields
}
