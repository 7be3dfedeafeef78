// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Request is a kind of request to which rules apply.
type Request int

// The requests.
const (
	CreateCore   Request = iota // a POST to core/v1
	UpdateCore                  // a PUT or PATCH to core/v1
	CreateEvents                // a POST to events.k8s.io/v1
	UpdateEvents                // a PUT or PATCH to events.k8s.io/v1
)

// Requests are all requests.
var Requests = []Request{CreateCore, UpdateCore, CreateEvents, UpdateEvents}

// String returns a name for tests.
func (r Request) String() string {
	return [...]string{"create core/v1", "update core/v1", "create events.k8s.io/v1", "update events.k8s.io/v1"}[r]
}

// Via returns the group version of the request.
func (r Request) Via() schema.GroupVersion {
	if r == CreateCore || r == UpdateCore {
		return corev1.SchemeGroupVersion
	}
	return eventsv1.SchemeGroupVersion
}

// IsCreate reports whether the request makes a new Event.
func (r Request) IsCreate() bool { return r == CreateCore || r == CreateEvents }

// Rule is a rule about one field of an Event. An Event that breaks it is refused with a 422.
type Rule struct {
	// Name is the name of the rule in package parity.
	Name string
	// Field is the field in the refusal. Through either group it is a field of core/v1: message is
	// the note, involvedObject the regarding object, and reportingComponent the reporting
	// controller.
	Field string
	// Says is the rule.
	Says string
	// Message is a part of the message in the refusal.
	Message string
	// Through lists the requests that are refused.
	Through []Request
	// Break makes the Event of [Valid] break the rule.
	Break func(*corev1.Event)
}

// Broken returns a copy of a valid Event that breaks the rule.
func (r Rule) Broken(valid *corev1.Event, request Request) *corev1.Event {
	event := valid.DeepCopy()
	r.Break(event)
	if !request.IsCreate() {
		event.Name = valid.Name // the name is in the path of the request
	}
	return event
}

// IsBroken reports whether the server has refused a request because of the rule.
func (r Rule) IsBroken(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Field == r.Field && strings.Contains(cause.Message, r.Message) {
			return true
		}
	}
	return false
}

// The requests of a rule.
var (
	always     = Requests
	throughNew = []Request{CreateEvents, UpdateEvents}
	throughOld = []Request{CreateCore, UpdateCore}
	onCreate   = []Request{CreateEvents}
	onUpdate   = []Request{UpdateEvents}
)

// Valid returns an Event that a server accepts with each request.
func Valid(namespace string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace,
			Name:      "web.1",
		},
		InvolvedObject: corev1.ObjectReference{
			Kind:      "Pod",
			Namespace: namespace,
			Name:      "web",
		},
		Reason:              "BackOff",
		Message:             "back-off",
		Type:                corev1.EventTypeWarning,
		EventTime:           metav1.NewMicroTime(time.Unix(1795251837, 123456000)),
		Action:              "Restart",
		ReportingController: "example.com/c",
		ReportingInstance:   "c-1",
	}
}

// Table lists the rules that kube-apiserver has for the fields of an Event, besides the rules that
// it has for the metadata of all objects. All of them hold since Kubernetes 1.35 at the latest, the
// oldest minor that is supported.
var Table = func() []Rule {
	table := []Rule{
		{
			Name:    "L1",
			Field:   "involvedObject.namespace",
			Says:    "an Event without eventTime about an object without a namespace is in the namespace default",
			Message: "does not match event.namespace",
			Through: always,
			Break: func(e *corev1.Event) {
				e.EventTime = metav1.MicroTime{}
				e.InvolvedObject.Namespace = ""
			},
		},
		{
			Name:    "L2",
			Field:   "involvedObject.namespace",
			Says:    "an Event without eventTime is in the namespace of its object",
			Message: "does not match event.namespace",
			Through: always,
			Break: func(e *corev1.Event) {
				e.EventTime = metav1.MicroTime{}
				e.InvolvedObject.Namespace = "another"
			},
		},
		{
			Name:    "L3",
			Field:   "involvedObject.namespace",
			Says:    "an Event with an eventTime about an object without a namespace is in default or kube-system",
			Message: "does not match event.namespace",
			Through: always,
			Break:   func(e *corev1.Event) { e.InvolvedObject.Namespace = "" },
		},
		{
			Name:    "S1",
			Field:   "metadata.name",
			Says:    "the name is a DNS subdomain",
			Message: "a lowercase RFC 1123 subdomain must consist of",
			Through: onCreate,
			Break:   func(e *corev1.Event) { e.Name = "Web_1" },
		},
		{
			Name:    "S3",
			Field:   "series.count",
			Says:    "a series has a count of at least 2",
			Message: "should be at least 2",
			Through: throughNew,
			Break: func(e *corev1.Event) {
				e.Series = &corev1.EventSeries{Count: 1, LastObservedTime: e.EventTime}
			},
		},
		{
			Name:    "S3",
			Field:   "series.lastObservedTime",
			Says:    "a series has the time of its last occurrence",
			Message: "Required value",
			Through: throughNew,
			Break:   func(e *corev1.Event) { e.Series = &corev1.EventSeries{Count: 2} },
		},
		{
			Name:    "S4",
			Field:   "eventTime",
			Says:    "eventTime is set",
			Message: "Required value",
			Through: onCreate,
			Break:   func(e *corev1.Event) { e.EventTime = metav1.MicroTime{} },
		},
		{
			Name:    "S5",
			Field:   "type",
			Says:    "the type is Normal or Warning",
			Message: "has invalid value: Info",
			Through: onCreate,
			Break:   func(e *corev1.Event) { e.Type = "Info" },
		},
	}
	table = append(table, controllerRules()...)
	table = append(table, textRules()...)
	return append(table, changeRules()...)
}()

// controllerRules are the rules about the name of the controller.
func controllerRules() (all []Rule) {
	for _, group := range []struct {
		field   string
		through []Request
	}{
		{"reportingComponent", throughOld},
		{"reportingController", throughNew},
	} {
		all = append(all,
			Rule{
				Name:    "L5",
				Field:   group.field,
				Says:    "an Event with an eventTime has a reporting controller",
				Message: "Required value",
				Through: group.through,
				Break:   func(e *corev1.Event) { e.ReportingController = "" },
			},
			Rule{
				Name:    "L5",
				Field:   group.field,
				Says:    "the reporting controller of an Event with an eventTime is a qualified name",
				Message: "must consist of alphanumeric characters",
				Through: group.through,
				Break:   func(e *corev1.Event) { e.ReportingController = "a/b/c" },
			},
		)
	}
	return all
}

// The server's limits count bytes, not characters.
const (
	MaxReasonBytes            = 128
	MaxActionBytes            = 128
	MaxReportingInstanceBytes = 128
	MaxNoteBytes              = 1024
)

// textRules are the rules about the texts of an Event with an eventTime.
func textRules() (all []Rule) {
	for _, text := range []struct {
		name, field string
		limit       int
		mayBeEmpty  bool
		set         func(e *corev1.Event, s string)
	}{
		{
			name:  "L6",
			field: "reportingInstance",
			limit: MaxReportingInstanceBytes,
			set:   func(e *corev1.Event, s string) { e.ReportingInstance = s },
		},
		{
			name:  "L7",
			field: "action",
			limit: MaxActionBytes,
			set:   func(e *corev1.Event, s string) { e.Action = s },
		},
		{
			name:  "L8",
			field: "reason",
			limit: MaxReasonBytes,
			set:   func(e *corev1.Event, s string) { e.Reason = s },
		},
		{
			name:       "L9",
			field:      "message",
			limit:      MaxNoteBytes,
			mayBeEmpty: true,
			set:        func(e *corev1.Event, s string) { e.Message = s },
		},
	} {
		all = append(all, Rule{
			Name:    text.name,
			Field:   text.field,
			Says:    fmt.Sprintf("the %s of an Event with an eventTime has at most %d bytes", text.field, text.limit),
			Message: fmt.Sprintf("can have at most %d characters", text.limit),
			Through: always,
			Break:   func(e *corev1.Event) { text.set(e, strings.Repeat("é", text.limit/2)+"x") },
		})
		if !text.mayBeEmpty {
			all = append(all, Rule{
				Name:    text.name,
				Field:   text.field,
				Says:    fmt.Sprintf("the %s of an Event with an eventTime is not empty", text.field),
				Message: "Required value",
				Through: always,
				Break:   func(e *corev1.Event) { text.set(e, "") },
			})
		}
	}
	return all
}

// changeRules are the rules about fields that events.k8s.io/v1 does not let a client set or change.
func changeRules() (all []Rule) {
	for _, field := range []struct {
		name       string
		deprecated bool
		set        func(*corev1.Event)
	}{
		{"source", true, func(e *corev1.Event) { e.Source.Component = "kubelet" }},
		{"firstTimestamp", true, func(e *corev1.Event) { e.FirstTimestamp = metav1.Unix(1795251837, 0) }},
		{"lastTimestamp", true, func(e *corev1.Event) { e.LastTimestamp = metav1.Unix(1795251837, 0) }},
		{"count", true, func(e *corev1.Event) { e.Count = 1 }},
		{"involvedObject", false, func(e *corev1.Event) { e.InvolvedObject.Name = "other" }},
		{"reason", false, func(e *corev1.Event) { e.Reason = "Other" }},
		{"message", false, func(e *corev1.Event) { e.Message = "other" }},
		{"type", false, func(e *corev1.Event) { e.Type = corev1.EventTypeNormal }},
		{"eventTime", false, func(e *corev1.Event) { e.EventTime.Time = e.EventTime.Add(time.Microsecond) }},
		{"action", false, func(e *corev1.Event) { e.Action = "Other" }},
		{"related", false, func(e *corev1.Event) { e.Related = &corev1.ObjectReference{Kind: "Node", Name: "n"} }},
		{"reportingController", false, func(e *corev1.Event) { e.ReportingController = "example.com/other" }},
		{"reportingInstance", false, func(e *corev1.Event) { e.ReportingInstance = "other" }},
	} {
		if field.deprecated {
			all = append(all, Rule{
				Name:    "S6",
				Field:   field.name,
				Says:    "the deprecated field " + field.name + " is not set",
				Message: "needs to be unset",
				Through: onCreate,
				Break:   field.set,
			})
		}
		all = append(all, Rule{
			Name:    "U1",
			Field:   field.name,
			Says:    field.name + " does not change",
			Message: validation.FieldImmutableErrorMsg,
			Through: onUpdate,
			Break:   field.set,
		})
	}
	return all
}
