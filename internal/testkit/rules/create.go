// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateCreate returns the server's refusal of event, created through the group version via, or nil: a
// *apierrors.StatusError, 422 Invalid, with one cause per violation. The caller has filled in what the server fills in
// first: the namespace of the request and the generated name.
func ValidateCreate(event *corev1.Event, via schema.GroupVersion) error {
	errs := legacyRules(event, via)
	if via != corev1.SchemeGroupVersion {
		errs = append(errs, strictCreateRules(event)...)
	}
	if len(errs) == 0 {
		// The generic checks come after the resource's own, so that the more specific message wins.
		errs = apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, path.ValidatePathSegmentName, metadata)
	}
	return invalid(event.Name, errs)
}

var metadata = field.NewPath("metadata")

// strictCreateRules are what events.k8s.io/v1 adds.
func strictCreateRules(event *corev1.Event) field.ErrorList {
	errs := apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, apivalidation.NameIsDNSSubdomain, metadata)
	errs = append(errs, finalizerRules(event.Finalizers)...)
	errs = append(errs, seriesRules(event.Series)...)
	if unset(event.EventTime.Time) {
		errs = append(errs, field.Required(field.NewPath("eventTime"), ""))
	}
	if event.Type != corev1.EventTypeNormal && event.Type != corev1.EventTypeWarning {
		errs = append(errs, field.Invalid(field.NewPath("type"), "", fmt.Sprintf("has invalid value: %v", event.Type)))
	}
	for _, deprecated := range []struct {
		name string
		set  bool
	}{
		{"firstTimestamp", !unset(event.FirstTimestamp.Time)},
		{"lastTimestamp", !unset(event.LastTimestamp.Time)},
		{"count", event.Count != 0},
		{"source", event.Source != corev1.EventSource{}},
	} {
		if deprecated.set {
			errs = append(errs, field.Invalid(field.NewPath(deprecated.name), "", "needs to be unset"))
		}
	}
	return errs
}

// seriesRules: a series starts at its second occurrence. Nothing is compared with eventTime.
func seriesRules(series *corev1.EventSeries) field.ErrorList {
	var errs field.ErrorList
	if series == nil {
		return nil
	}
	if series.Count < 2 {
		errs = append(errs, field.Invalid(field.NewPath("series.count"), "", "should be at least 2"))
	}
	if unset(series.LastObservedTime.Time) {
		errs = append(errs, field.Required(field.NewPath("series.lastObservedTime"), ""))
	}
	return errs
}

// unset follows the server, which compares with Go's zero value. The same instant is a time when it comes from a
// request: decoding gives it a location.
func unset(t time.Time) bool { return t == time.Time{} }

// invalid is nil for no violations. The kind is the stored one, core/v1's, whichever group was asked.
func invalid(name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Kind: "Event"}, name, errs)
}
