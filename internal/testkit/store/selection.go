// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// Get returns a stored Event.
func (s *Store) Get(r Request) (*corev1.Event, error) {
	defer s.open()()
	old, err := s.find(r)
	return old.DeepCopy(), err
}

// find returns the stored Event that r names. The caller must not modify it.
func (s *Store) find(r Request) (*corev1.Event, error) {
	if r.Namespace == "" {
		return nil, rules.NotServed()
	}
	event := s.objects.get(r.Namespace, r.Name)
	if event == nil {
		return nil, rules.NotFound(r.Via, r.Name)
	}
	return event, nil
}

// List returns the stored Events that options select, sorted by namespace and name, and the version
// of the storage.
func (s *Store) List(r Request, options metav1.ListOptions) (events []*corev1.Event, version string, err error) {
	where, err := selectionOf(r, options)
	if err != nil {
		return nil, "", err
	}
	defer s.open()()
	selected := s.objects.sorted(where.matches)
	for i, event := range selected {
		selected[i] = event.DeepCopy()
	}
	return selected, formatVersion(s.version), nil
}

// selection selects the Events that a request applies to.
type selection struct {
	via       schema.GroupVersion
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

// selectionOf returns the selection of a request with options, or the server's refusal.
func selectionOf(r Request, options metav1.ListOptions) (selection, error) {
	byLabel, labelErr := labels.Parse(options.LabelSelector)
	byField, fieldErr := fields.ParseSelector(options.FieldSelector)
	if err := cmp.Or(labelErr, fieldErr); err != nil {
		return selection{}, apierrors.NewBadRequest(err.Error())
	}
	known := selectableFields(r.Via, &corev1.Event{})
	for _, requirement := range byField.Requirements() {
		if !known.Has(requirement.Field) {
			return selection{}, apierrors.NewBadRequest("field label not supported: " + requirement.Field)
		}
	}
	return selection{r.Via, r.Namespace, byLabel, byField}, nil
}

// matches reports whether event is selected. It returns false for nil.
func (s selection) matches(event *corev1.Event) bool {
	return event != nil && (s.namespace == "" || s.namespace == event.Namespace) &&
		s.labels.Matches(labels.Set(event.Labels)) &&
		(s.fields.Empty() || s.fields.Matches(selectableFields(s.via, event)))
}

// selectableFields returns the fields of event that a field selector can name. The two API groups
// use different names for the regarding object and the controller. Only core/v1 supports the field
// source, whose value is the controller if the Event has no source.
func selectableFields(via schema.GroupVersion, event *corev1.Event) fields.Set {
	object, controller := "regarding", "reportingController"
	set := fields.Set{
		"metadata.name":      event.Name,
		"metadata.namespace": event.Namespace,
		"reason":             event.Reason,
		"type":               event.Type,
	}
	if via == corev1.SchemeGroupVersion {
		object = "involvedObject"
		controller = "reportingComponent"
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

// FromView returns an Event of either group in the shape in which it is stored. For any other
// object it returns an empty Event, which no rule accepts.
func FromView(object runtime.Object) *corev1.Event {
	switch o := object.(type) {
	case *corev1.Event:
		return o
	case *eventsv1.Event:
		return eventconv.ToCore(o)
	default:
		return &corev1.Event{}
	}
}

// View returns a stored Event in the shape of the group version via. The result shares memory with
// event.
func View(via schema.GroupVersion, event *corev1.Event) runtime.Object {
	if via == corev1.SchemeGroupVersion {
		return event
	}
	return eventconv.FromCore(event)
}

// ListView returns stored Events as a list of the group version via. The result shares memory with
// events.
func ListView(via schema.GroupVersion, events []*corev1.Event, version string) runtime.Object {
	meta := metav1.ListMeta{ResourceVersion: version}
	if via == corev1.SchemeGroupVersion {
		list := &corev1.EventList{ListMeta: meta}
		for _, event := range events {
			list.Items = append(list.Items, *event)
		}
		return list
	}
	list := &eventsv1.EventList{ListMeta: meta}
	for _, event := range events {
		list.Items = append(list.Items, *eventconv.FromCore(event))
	}
	return list
}
