// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	eventsv1 "k8s.io/api/events/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
)

// EventsV1 implements kubernetes.Interface. Its dynamic type is not client-go's *FakeEventsV1; that of
// c.Clientset.EventsV1() is, and has the same rules.
func (c *Clientset) EventsV1() typedeventsv1.EventsV1Interface {
	return eventsV1{c.Clientset.EventsV1(), c}
}

type eventsV1 struct {
	typedeventsv1.EventsV1Interface
	clientset *Clientset
}

// Events implements typedeventsv1.EventsGetter.
func (g eventsV1) Events(namespace string) typedeventsv1.EventInterface {
	return eventsV1Events{
		&typedEvents[*eventsv1.Event, *eventsv1.EventList]{
			clientset: g.clientset,
			resource:  eventsv1.SchemeGroupVersion.WithResource("events"),
			namespace: namespace,
			newEvent:  func() *eventsv1.Event { return &eventsv1.Event{} },
			newList:   func() *eventsv1.EventList { return &eventsv1.EventList{} },
		},
		eventsV1Rest{g.EventsV1Interface.Events(namespace)},
	}
}

type eventsV1Events struct {
	*typedEvents[*eventsv1.Event, *eventsv1.EventList]
	eventsV1Rest
}

// eventsV1Rest has the methods that typedEvents does not shadow, from client-go's fake: it lies one level deeper.
type eventsV1Rest struct{ typedeventsv1.EventInterface }
