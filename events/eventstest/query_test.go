// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func newQueried() *Clientset {
	other := in("other", newEvent("web.2"))
	other.Labels = map[string]string{"app": "web"}
	other.Reason, other.Regarding.UID = "Pulled", "u2"
	return NewClientset(newEvent("web.1"), other)
}

func TestList(t *testing.T) {
	for _, r := range []struct {
		name, namespace, labels, fields string // fields in the terms of events.k8s.io/v1
		want                            string
	}{
		{"everything", "", "", "", "web.1 web.2"},
		{"a namespace", "other", "", "", "web.2"},
		{"an empty namespace", "none", "", "", ""},
		{"labels", "", "app=web", "", "web.2"},
		{"a reason", "", "", "reason=Killing", "web.1"},
		{"not a reason", "", "", "reason!=Killing", "web.2"},
		{"the object", "", "", "regarding.uid=u2,regarding.kind=Pod,regarding.name=web", "web.2"},
		{"the controller", "", "", "reportingController=example.com/controller,type=Normal", "web.1 web.2"},
		{"metadata", "", "", "metadata.namespace=default,metadata.name=web.1", "web.1"},
	} {
		t.Run(r.name, func(t *testing.T) {
			c := newQueried()
			options := metav1.ListOptions{LabelSelector: r.labels, FieldSelector: r.fields}
			events, err := c.EventsV1().Events(r.namespace).List(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, event := range events.Items {
				names = append(names, event.Name)
			}
			if got := strings.Join(names, " "); got != r.want {
				t.Errorf("events.k8s.io/v1 lists %q, want %q", got, r.want)
			}
			inCore := strings.NewReplacer("regarding", "involvedObject", "reportingController", "reportingComponent")
			options.FieldSelector = inCore.Replace(r.fields)
			core, err := c.CoreV1().Events(r.namespace).List(t.Context(), options)
			if err != nil || len(core.Items) != len(names) {
				t.Errorf("core/v1 lists %d, %v; want %d", len(core.Items), err, len(names))
			}
		})
	}
}

func TestListRefusesUnknownFields(t *testing.T) {
	c := newQueried()
	for _, field := range []string{"action=a", "series.count=2", "involvedObject.name=web", "source=kubelet"} {
		_, err := c.EventsV1().Events("").List(t.Context(), metav1.ListOptions{FieldSelector: field})
		checkStatus(t, err, http.StatusBadRequest, apierrors.IsBadRequest)
	}
	_, err := c.CoreV1().Events("").List(t.Context(), metav1.ListOptions{FieldSelector: "regarding.name=web"})
	checkStatus(t, err, http.StatusBadRequest, apierrors.IsBadRequest)
}

func TestDelete(t *testing.T) {
	c := newQueried()
	if err := c.CoreV1().Events("default").Delete(t.Context(), "web.1", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	err := c.EventsV1().Events("default").Delete(t.Context(), "web.1", metav1.DeleteOptions{})
	checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
	_, err = c.EventsV1().Events("default").Get(t.Context(), "web.1", metav1.GetOptions{})
	checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
	if events := c.Events(); len(events) != 1 || events[0].Name != "web.2" {
		t.Errorf("left %v, want web.2", events)
	}
}

func TestDeleteCollection(t *testing.T) {
	c := newQueried()
	selected := metav1.ListOptions{FieldSelector: "reason=Pulled"}
	if err := c.EventsV1().Events("").DeleteCollection(t.Context(), metav1.DeleteOptions{}, selected); err != nil {
		t.Error(err)
	}
	if events := c.Events(); len(events) != 1 || events[0].Name != "web.1" {
		t.Errorf("left %v, want web.1", events)
	}
	selected.FieldSelector = "action=a"
	err := c.EventsV1().Events("").DeleteCollection(t.Context(), metav1.DeleteOptions{}, selected)
	checkStatus(t, err, http.StatusBadRequest, apierrors.IsBadRequest)
}
