// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

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
	newStyle, namespaced := !unset(event.EventTime.Time), event.InvolvedObject.Namespace != ""
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
