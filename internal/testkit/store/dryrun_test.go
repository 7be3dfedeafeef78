// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// A dry run answers as the request would, and nothing changes: neither what is stored, nor the version, nor what a
// watcher is told. Caught, one after the other: each of the five verbs that writes all the same.
func TestDryRun(t *testing.T) {
	s := New()
	stored := mustCreate(t, s, newEvent("a"))
	w := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{ResourceVersion: "1"})
	dry := func(name string) Request {
		return Request{Via: eventsGV, Namespace: "default", Name: name, DryRun: true}
	}

	created, err := s.Create(dry("b"), eventconv.ToCore(newEvent("b")))
	if err != nil || created.Name != "b" || created.UID == "" || created.ResourceVersion != "" {
		t.Errorf("create = %v, %v; want it with a uid and without a version", created, err)
	}
	_, err = s.Create(dry("a"), eventconv.ToCore(newEvent("a")))
	checkStatus(t, err, http.StatusConflict, apierrors.IsAlreadyExists)

	patched, err := s.Patch(dry("a"), strategic(secondOccurrence))
	if err != nil || patched.Series.Count != 2 || patched.ResourceVersion != "1" {
		t.Errorf("patch = %v, %v; want the series at the version stored", patched, err)
	}
	_, err = s.Patch(dry("a"), strategic(`{"note":"other"}`))
	checkStatus(t, err, http.StatusUnprocessableEntity, apierrors.IsInvalid)

	changed := eventconv.ToCore(newEvent("a"))
	changed.Labels = map[string]string{"l": "1"}
	if updated, err := s.Update(dry("a"), changed); err != nil || updated.Labels["l"] != "1" {
		t.Errorf("update = %v, %v", updated, err)
	}
	if err := s.Delete(dry("a"), nil); err != nil {
		t.Error(err)
	}
	if err := s.DeleteAll(dry(""), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
	checkTold(t, w)
	if diff := cmp.Diff(*stored, s.Events()[0]); diff != "" || len(s.Events()) != 1 {
		t.Errorf("stored (-before +after):\n%s", diff)
	}
	if next := mustCreate(t, s, newEvent("b")); next.ResourceVersion != "2" {
		t.Errorf("the next version is %s", next.ResourceVersion)
	}
}
