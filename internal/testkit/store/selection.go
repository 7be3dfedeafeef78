// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// selection is which Events a request is about.
type selection struct {
	via       schema.GroupVersion
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

// selectionOf returns what options select, or the server's refusal.
func selectionOf(r Request, options metav1.ListOptions) (selection, error) {
	byLabel, byField, err := selectors(options)
	if err != nil {
		return selection{}, err
	}
	known := selectableFields(r.Via, &corev1.Event{})
	for _, requirement := range byField.Requirements() {
		if !known.Has(requirement.Field) {
			return selection{}, apierrors.NewBadRequest("field label not supported: " + requirement.Field)
		}
	}
	return selection{r.Via, r.Namespace, byLabel, byField}, nil
}

// matches reports whether event is selected. A nil event never is.
func (s selection) matches(event *corev1.Event) bool {
	return event != nil && (s.namespace == "" || s.namespace == event.Namespace) &&
		s.labels.Matches(labels.Set(event.Labels)) &&
		(s.fields.Empty() || s.fields.Matches(selectableFields(s.via, event)))
}

// selectableFields are what a field selector may name. The two groups call the object and the controller differently,
// and only core/v1 knows the source, which falls back to the controller.
func selectableFields(via schema.GroupVersion, event *corev1.Event) fields.Set {
	object, controller := "regarding", "reportingController"
	set := fields.Set{
		"metadata.name":      event.Name,
		"metadata.namespace": event.Namespace,
		"reason":             event.Reason,
		"type":               event.Type,
	}
	if via == corev1.SchemeGroupVersion {
		object, controller = "involvedObject", "reportingComponent"
		set["source"] = cmp.Or(event.Source.Component, event.ReportingController)
	}
	about := event.InvolvedObject
	set[controller] = event.ReportingController
	set[object+".kind"] = about.Kind
	set[object+".namespace"] = about.Namespace
	set[object+".name"] = about.Name
	set[object+".uid"] = string(about.UID)
	set[object+".apiVersion"] = about.APIVersion
	set[object+".resourceVersion"] = about.ResourceVersion
	set[object+".fieldPath"] = about.FieldPath
	return set
}
