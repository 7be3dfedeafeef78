// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// Caught: a finalizer that holds back nothing; one that holds for ever; a mark that a write takes away.
func TestFinalizersHoldBackADelete(t *testing.T) {
	s, event := New(), newEvent("a")
	event.Finalizers = []string{"example.com/a"}
	r := about(eventsGV, event)
	mustCreate(t, s, event)
	w := mustWatch(t, s, r, metav1.ListOptions{})
	for range 2 { // the second changes nothing
		if err := s.Delete(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	if marked := s.Events()[0]; marked.DeletionTimestamp == nil || marked.ResourceVersion != "2" {
		t.Errorf("marked %v at version %s", marked.DeletionTimestamp, marked.ResourceVersion)
	}
	_, err := patch(s, event, `{"metadata":{"finalizers":["example.com/b"]}}`)
	checkStatus(t, err, http.StatusUnprocessableEntity, apierrors.IsInvalid)
	if kept := mustPatch(t, s, event, `{"metadata":{"deletionTimestamp":null,"labels":{"l":"1"}}}`); !kept.
		DeletionTimestamp.Equal(s.Events()[0].DeletionTimestamp) {
		t.Errorf("a patch moves the mark to %v", kept.DeletionTimestamp)
	}
	mustPatch(t, s, event, `{"metadata":{"finalizers":null}}`)
	checkTold(t, w, "ADDED a 1", "MODIFIED a 2", "MODIFIED a 3", "DELETED a 4")
	if left := s.Events(); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// Caught: a precondition that is not looked at.
func TestDeletePreconditions(t *testing.T) {
	s := New()
	stored := mustCreate(t, s, newEvent("a"))
	r := about(coreGV, stored)
	err := s.Delete(r, &metav1.Preconditions{UID: ptr.To(types.UID("other"))})
	checkStatus(t, err, http.StatusConflict, apierrors.IsConflict)
	err = s.Delete(r, &metav1.Preconditions{ResourceVersion: ptr.To("9")})
	checkStatus(t, err, http.StatusConflict, apierrors.IsConflict)
	if err := s.Delete(r, &metav1.Preconditions{UID: &stored.UID, ResourceVersion: &stored.ResourceVersion}); err != nil {
		t.Error(err)
	}
	checkStatus(t, s.Delete(r, nil), http.StatusNotFound, apierrors.IsNotFound)
}
