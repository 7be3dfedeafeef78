// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateCreate validates an Event that is created through the group version via. It returns nil,
// or the server's refusal: a *apierrors.StatusError, 422 Invalid, with a cause for each violation.
// Like the server, the caller must set the namespace and a generated name first.
func ValidateCreate(event *corev1.Event, via schema.GroupVersion) error {
	errs := legacyRules(event, via)
	if via != corev1.SchemeGroupVersion {
		errs = append(errs, strictCreateRules(event)...)
	}
	if len(errs) == 0 {
		// The server makes these generic checks only after the Event's own ones, whose messages are
		// more specific.
		errs = apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, path.ValidatePathSegmentName, metadata)
	}
	return invalid(event.Name, errs)
}

// metadata is the path of the metadata.
var metadata = field.NewPath("metadata")

// strictCreateRules checks the rules for creating an Event that apply only to events.k8s.io/v1.
func strictCreateRules(event *corev1.Event) field.ErrorList {
	errs := apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, apivalidation.NameIsDNSSubdomain, metadata)
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

// seriesRules checks that a series has at least two occurrences and a time. The server does not
// compare the time with eventTime.
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

// unset reports whether t is Go's zero value, which is how the server checks. If a request contains
// the zero instant explicitly, the time counts as set, because a decoded time has a location.
func unset(t time.Time) bool { return t == time.Time{} }

// invalid returns the refusal for the violations, or nil if there are none. Through either group,
// the refusal names the kind of core/v1.
func invalid(name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Kind: "Event"}, name, errs)
}

// ValidateUpdate validates an Event that replaces old through the group version via. It returns nil
// or the server's refusal: a *apierrors.StatusError, 422 Invalid. The caller must set the system
// metadata and compare the resource versions first.
//
// Through core/v1 every field may change. Through events.k8s.io/v1 only labels, annotations,
// finalizers, owners and the series may change. Changes of the series are not restricted: its count
// may decrease, its time may go back, and it may be removed.
func ValidateUpdate(event, old *corev1.Event, via schema.GroupVersion) error {
	errs := apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, path.ValidatePathSegmentName, metadata)
	errs = append(errs, apivalidation.ValidateObjectMetaUpdate(&event.ObjectMeta, &old.ObjectMeta, metadata)...)
	errs = append(errs, legacyRules(event, via)...)
	if via != corev1.SchemeGroupVersion {
		errs = append(errs, strictUpdateRules(event, old)...)
	}
	return invalid(event.Name, errs)
}

// strictUpdateRules checks the rules for changing an Event that apply only to events.k8s.io/v1. It
// does not validate an unchanged series, the type, the name and the deprecated fields again, so an
// Event that only core/v1 accepts can still get a series.
func strictUpdateRules(event, old *corev1.Event) field.ErrorList {
	var errs field.ErrorList
	if !reflect.DeepEqual(event.Series, old.Series) {
		errs = append(errs, seriesRules(event.Series)...)
	}
	for _, f := range []struct {
		name  string
		same  bool
		value any
	}{
		{"involvedObject", event.InvolvedObject == old.InvolvedObject, event.InvolvedObject},
		{"reason", event.Reason == old.Reason, event.Reason},
		{"message", event.Message == old.Message, event.Message},
		{"source", event.Source == old.Source, event.Source},
		{"firstTimestamp", event.FirstTimestamp.Equal(&old.FirstTimestamp), event.FirstTimestamp},
		{"lastTimestamp", event.LastTimestamp.Equal(&old.LastTimestamp), event.LastTimestamp},
		{"count", event.Count == old.Count, event.Count},
		{"type", event.Type == old.Type, event.Type},
		{"eventTime", sameMicrosecond(event.EventTime, old.EventTime), event.EventTime},
		{"action", event.Action == old.Action, event.Action},
		{"related", apiequality.Semantic.DeepEqual(event.Related, old.Related), event.Related},
		{"reportingController", event.ReportingController == old.ReportingController, event.ReportingController},
		{"reportingInstance", event.ReportingInstance == old.ReportingInstance, event.ReportingInstance},
	} {
		if !f.same {
			errs = append(errs, field.Invalid(field.NewPath(f.name), f.value, apivalidation.FieldImmutableErrorMsg))
		}
	}
	return errs
}

// sameMicrosecond reports whether two times are equal when truncated to microseconds, because a
// client that encodes times in microseconds loses the rest (kubernetes/kubernetes#111928).
func sameMicrosecond(a, b metav1.MicroTime) bool {
	return a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond))
}

// legacyRules checks the rules that apply to every request through either group. An Event with an
// eventTime is called new-style. Some of its fields are required or limited in length, even if it
// is written through core/v1. In an Event without an eventTime, only the namespaces are validated.
func legacyRules(event *corev1.Event, via schema.GroupVersion) field.ErrorList {
	var errs field.ErrorList
	if !namespacesAgree(event) {
		path := field.NewPath("involvedObject", "namespace")
		errs = append(errs, field.Invalid(path, event.InvolvedObject.Namespace, "does not match event.namespace"))
	}
	if !unset(event.EventTime.Time) {
		errs = append(errs, newStyleRules(event, via)...)
	}
	return errs
}

// namespacesAgree reports whether the server accepts the namespace of the Event for the object that
// the Event is about. An Event about a cluster-scoped object must be in the namespace "default"; a
// new-style Event may also be in "kube-system". A new-style Event about a namespaced object may be
// in any namespace, because the server does not compare its namespace with that of the object. Any
// other Event must be in the namespace of its object.
func namespacesAgree(event *corev1.Event) bool {
	newStyle := !unset(event.EventTime.Time)
	namespaced := event.InvolvedObject.Namespace != ""
	switch {
	case newStyle && namespaced:
		return true
	case newStyle:
		return event.Namespace == metav1.NamespaceDefault || event.Namespace == metav1.NamespaceSystem
	case namespaced:
		return event.Namespace == event.InvolvedObject.Namespace
	default:
		return event.Namespace == metav1.NamespaceNone || event.Namespace == metav1.NamespaceDefault
	}
}

// newStyleRules checks the rules for an Event with an eventTime.
func newStyleRules(event *corev1.Event, via schema.GroupVersion) field.ErrorList {
	var errs field.ErrorList
	controller := field.NewPath("reportingController")
	if via == corev1.SchemeGroupVersion {
		controller = field.NewPath("reportingComponent")
	}
	if event.ReportingController == "" {
		errs = append(errs, field.Required(controller, ""))
	}
	for _, msg := range validation.IsQualifiedName(event.ReportingController) {
		errs = append(errs, field.Invalid(controller, event.ReportingController, msg))
	}
	errs = append(errs, requiredText("reportingInstance", event.ReportingInstance, MaxReportingInstanceBytes)...)
	errs = append(errs, requiredText("action", event.Action, MaxActionBytes)...)
	errs = append(errs, requiredText("reason", event.Reason, MaxReasonBytes)...)
	return append(errs, limitedText("message", event.Message, MaxNoteBytes)...)
}

// requiredText checks that value is not empty and has at most limit bytes.
func requiredText(name, value string, limit int) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(field.NewPath(name), "")}
	}
	return limitedText(name, value, limit)
}

// limitedText checks that value has at most limit bytes. The server's message says "characters"
// although the server counts bytes, and does not repeat the value.
func limitedText(name, value string, limit int) field.ErrorList {
	if len(value) <= limit {
		return nil
	}
	msg := fmt.Sprintf("can have at most %d characters", limit)
	return field.ErrorList{field.Invalid(field.NewPath(name), "", msg)}
}
