// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// get returns a stored Event.
func (s *server) get(via schema.GroupVersion, namespace, name string) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.sweep(s.clock.Now())
	event := s.store.get(namespace, name)
	if event == nil {
		return nil, eventrules.NotFound(via, name)
	}
	return event.DeepCopy(), nil
}

// list returns the stored Events that where selects, and the resource version of the storage.
func (s *server) list(via schema.GroupVersion, namespace string, where clienttesting.ListRestrictions) (
	[]*corev1.Event, int64, error,
) {
	s.mu.Lock()
	defer s.mu.Unlock()
	selected, err := s.selectLocked(via, namespace, where)
	for i, event := range selected {
		selected[i] = event.DeepCopy()
	}
	return selected, s.version, err
}

// delete removes an Event at once; finalizers do not hold it back.
func (s *server) delete(via schema.GroupVersion, namespace, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.sweep(s.clock.Now())
	if !s.store.remove(namespace, name) {
		return eventrules.NotFound(via, name)
	}
	s.version++
	return nil
}

// deleteAll removes the Events that where selects.
func (s *server) deleteAll(via schema.GroupVersion, namespace string, where clienttesting.ListRestrictions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	selected, err := s.selectLocked(via, namespace, where)
	for _, event := range selected {
		s.store.remove(event.Namespace, event.Name)
		s.version++
	}
	return err
}

func (s *server) selectLocked(via schema.GroupVersion, namespace string, where clienttesting.ListRestrictions) (
	[]*corev1.Event, error,
) {
	known := selectableFields(via, &corev1.Event{})
	for _, requirement := range where.Fields.Requirements() {
		if !known.Has(requirement.Field) {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("field label not supported: %s", requirement.Field))
		}
	}
	s.store.sweep(s.clock.Now())
	var selected []*corev1.Event
	for _, event := range s.store.sorted(namespace) {
		if where.Labels.Matches(labels.Set(event.Labels)) && where.Fields.Matches(selectableFields(via, event)) {
			selected = append(selected, event)
		}
	}
	return selected, nil
}

// selectableFields are what a field selector may name. The two groups call the object and the controller differently,
// and only core/v1 knows the source, which falls back to the controller.
func selectableFields(via schema.GroupVersion, event *corev1.Event) fields.Set {
	object, controller := "regarding", "reportingController"
	set := fields.Set{
		"metadata.name":      event.Name,
		"metadata.namespace": event.Namespace,
		"reason":             event.Reason,
		"type":               event.Type,
	}
	if via == corev1.SchemeGroupVersion {
		object, controller = "involvedObject", "reportingComponent"
		set["source"] = cmp.Or(event.Source.Component, event.ReportingController)
	}
	about := event.InvolvedObject
	set[controller] = event.ReportingController
	set[object+".kind"] = about.Kind
	set[object+".namespace"] = about.Namespace
	set[object+".name"] = about.Name
	set[object+".uid"] = string(about.UID)
	set[object+".apiVersion"] = about.APIVersion
	set[object+".resourceVersion"] = about.ResourceVersion
	set[object+".fieldPath"] = about.FieldPath
	return set
}

// restrictions are an action's selectors; without any it selects everything.
func restrictions(action clienttesting.Action) clienttesting.ListRestrictions {
	where := clienttesting.ListRestrictions{Labels: labels.Everything(), Fields: fields.Everything()}
	restricted, ok := action.(interface {
		GetListRestrictions() clienttesting.ListRestrictions
	})
	if !ok {
		return where
	}
	given := restricted.GetListRestrictions()
	if given.Labels != nil {
		where.Labels = given.Labels
	}
	if given.Fields != nil {
		where.Fields = given.Fields
	}
	return where
}
