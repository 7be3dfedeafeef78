// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

func TestEmbeddedFakeHasTheSameRules(t *testing.T) {
	c := NewClientset()
	event := newEvent("web.1")
	events := c.Clientset.EventsV1().Events("default")
	if _, err := events.Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	event.Name, event.Type = "web.2", "Odd"
	_, err := events.Create(t.Context(), event, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || len(c.Events()) != 1 {
		t.Errorf("Create = %v, want Invalid", err)
	}
}

func TestExpansionsGoToTheEventsNamespace(t *testing.T) {
	c := NewClientset()
	everywhere, elsewhere := c.CoreV1().Events(""), c.CoreV1().Events("elsewhere")
	event := eventconv.ToCore(in("a", newEvent("web.1")))
	if _, err := everywhere.CreateWithEventNamespace(event); err != nil {
		t.Errorf("create = %v", err)
	}
	event.Message = "other"
	if _, err := everywhere.UpdateWithEventNamespace(event); err != nil {
		t.Errorf("update = %v", err)
	}
	patch := []byte(secondOccurrence)
	if _, err := everywhere.PatchWithEventNamespace(event, patch); err != nil {
		t.Errorf("patch = %v", err)
	}
	if stored := c.Events(); stored[0].Namespace != "a" || stored[0].Note != "other" || stored[0].Series.Count != 2 {
		t.Errorf("stored %v, want all three writes", stored)
	}
	before := c.Writes()
	_, errCreate := elsewhere.CreateWithEventNamespaceWithContext(t.Context(), event)
	_, errUpdate := elsewhere.UpdateWithEventNamespaceWithContext(t.Context(), event)
	_, errPatch := elsewhere.PatchWithEventNamespaceWithContext(t.Context(), event, patch)
	if errCreate == nil || errUpdate == nil || errPatch == nil || c.Writes() != before {
		t.Errorf("through the client of another namespace: %v, %v, %v; want errors and no request",
			errCreate, errUpdate, errPatch)
	}
}
