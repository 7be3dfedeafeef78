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

// ValidateUpdate returns the server's refusal to replace old by event through the group version via, or nil: a
// *apierrors.StatusError, 422 Invalid. The caller has defaulted the system metadata and compared resource versions.
//
// Through core/v1 everything may change. Through events.k8s.io/v1 only labels, annotations, finalizers, owners and the
// series may; the series is not protected, so its count may shrink, its time go back, and it may vanish.
func ValidateUpdate(event, old *corev1.Event, via schema.GroupVersion) error {
	errs := apivalidation.ValidateObjectMeta(&event.ObjectMeta, true, path.ValidatePathSegmentName, metadata)
	errs = append(errs, apivalidation.ValidateObjectMetaUpdate(&event.ObjectMeta, &old.ObjectMeta, metadata)...)
	errs = append(errs, legacyRules(event, via)...)
	if via != corev1.SchemeGroupVersion {
		errs = append(errs, strictUpdateRules(event, old)...)
	}
	return invalid(event.Name, errs)
}

// strictUpdateRules are what events.k8s.io/v1 adds. An untouched series is not looked at again, nor are the type, the
// name and the deprecated fields: an object that only core/v1 accepts can still get a series.
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

// sameMicrosecond tolerates what a client loses that encodes microseconds (kubernetes/kubernetes#111928).
func sameMicrosecond(a, b metav1.MicroTime) bool {
	return a.Truncate(time.Microsecond).Equal(b.Truncate(time.Microsecond))
}

// The server's limits count bytes, not characters.
const (
	MaxReasonBytes            = 128
	MaxActionBytes            = 128
	MaxReportingInstanceBytes = 128
	MaxNoteBytes              = 1024
)

// legacyRules apply to every request, through either group. A set eventTime makes an Event new-style and switches the
// required fields and limits on, also through core/v1; without it only the namespaces are compared.
func legacyRules(event *corev1.Event, via schema.GroupVersion) field.ErrorList {
	var errs field.ErrorList
	if !namespacesAgree(event) {
		path := field.NewPath("involvedObject", "namespace")
		errs = append(errs, field.Invalid(path, event.InvolvedObject.Namespace, "does not match event.namespace"))
	}
	if !unset(event.EventTime.Time) {
		errs = append(errs, newStyleRules(event, via)...)
	}
	for _, msg := range validation.IsDNS1123Subdomain(event.Namespace) {
		errs = append(errs, field.Invalid(field.NewPath("namespace"), event.Namespace, msg))
	}
	return errs
}

// namespacesAgree reports whether the Event may be in its namespace. A new-style Event about a namespaced object may be
// anywhere, because the server does not compare the namespaces. One about a cluster-scoped object belongs in default,
// or, new-style only, in kube-system.
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

func requiredText(name, value string, limit int) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(field.NewPath(name), "")}
	}
	return limitedText(name, value, limit)
}

// limitedText answers like the server, which says characters and means bytes, and does not repeat the value.
func limitedText(name, value string, limit int) field.ErrorList {
	if len(value) <= limit {
		return nil
	}
	msg := fmt.Sprintf("can have at most %d characters", limit)
	return field.ErrorList{field.Invalid(field.NewPath(name), "", msg)}
}
