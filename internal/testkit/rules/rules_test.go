// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	core   = corev1.SchemeGroupVersion
	strict = eventsv1.SchemeGroupVersion
	moment = metav1.NewMicroTime(time.Date(2026, 11, 20, 11, 25, 19, 80374000, time.UTC))
)

// newStyle is an Event that both groups accept; edit changes it.
func newStyle(edit func(*corev1.Event)) *corev1.Event {
	event := &corev1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: "web.1", ResourceVersion: "7", UID: "u"},
		EventTime:           moment,
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-1",
		Action:              "Killing",
		Reason:              "Killing",
		Type:                corev1.EventTypeNormal,
		Message:             "stopping",
		InvolvedObject:      corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
	edit(event)
	return event
}

// oldStyle is an Event as client-go/tools/record writes it.
func oldStyle(edit func(*corev1.Event)) *corev1.Event {
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: "default", Name: "web.1", ResourceVersion: "7", UID: "u"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
		Reason:         "Killing",
		Type:           corev1.EventTypeNormal,
		Source:         corev1.EventSource{Component: "kubelet", Host: "n1"},
		FirstTimestamp: metav1.Time(moment),
		LastTimestamp:  metav1.Time(moment),
		Count:          1,
	}
	edit(event)
	return event
}

func as(edits ...func(*corev1.Event)) func(*corev1.Event) {
	return func(event *corev1.Event) {
		for _, edit := range edits {
			edit(event)
		}
	}
}

// refusedFields returns the fields err complains about, each once, in order; nil if err is nil. Indexes are left out:
// apimachinery gives them since 0.37 only.
func refusedFields(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		t.Fatalf("%v is a %T, want a *apierrors.StatusError", err, err)
	}
	if !apierrors.IsInvalid(err) || status.ErrStatus.Code != http.StatusUnprocessableEntity {
		t.Errorf("%v is not 422 Invalid", err)
	}
	if got, want := status.ErrStatus.Details.Kind, "Event"; got != want || status.ErrStatus.Details.Group != "" {
		t.Errorf("the error is about %s in group %q, want the stored kind", got, status.ErrStatus.Details.Group)
	}
	if !strings.HasPrefix(status.ErrStatus.Message, `Event "`) {
		t.Errorf("message %q does not begin like the server's", status.ErrStatus.Message)
	}
	var fields []string
	for _, cause := range status.ErrStatus.Details.Causes {
		name, _, _ := strings.Cut(cause.Field, "[")
		if n := len(fields); n == 0 || fields[n-1] != name {
			fields = append(fields, name)
		}
	}
	return fields
}

func checkFields(t *testing.T, err error, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, refusedFields(t, err)); diff != "" {
		t.Errorf("refused fields (-want +got):\n%s\nerror: %v", diff, err)
	}
}

type rule struct {
	name string
	via  schema.GroupVersion
	bad  *corev1.Event
	want []string
	good *corev1.Event
}

func TestEachRuleReportsAllViolations(t *testing.T) {
	event := newStyle(func(e *corev1.Event) { e.Action, e.Reason, e.Type = "", "", "Info" })
	checkFields(t, ValidateCreate(event, strict), []string{"action", "reason", "type"})
}
