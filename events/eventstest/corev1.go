// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// CoreV1 implements kubernetes.Interface. Its dynamic type is not client-go's *FakeCoreV1; that of c.Clientset.CoreV1()
// is, and has the same rules.
func (c *Clientset) CoreV1() typedcorev1.CoreV1Interface {
	return coreV1{c.Clientset.CoreV1(), c}
}

type coreV1 struct {
	typedcorev1.CoreV1Interface
	clientset *Clientset
}

// Events implements typedcorev1.EventsGetter.
func (g coreV1) Events(namespace string) typedcorev1.EventInterface {
	return coreV1Events{
		&typedEvents[*corev1.Event, *corev1.EventList]{
			clientset: g.clientset,
			resource:  corev1.SchemeGroupVersion.WithResource("events"),
			namespace: namespace,
			newEvent:  func() *corev1.Event { return &corev1.Event{} },
			newList:   func() *corev1.EventList { return &corev1.EventList{} },
		},
		coreV1Rest{g.CoreV1Interface.Events(namespace)},
	}
}

type coreV1Events struct {
	*typedEvents[*corev1.Event, *corev1.EventList]
	coreV1Rest
}

// coreV1Rest has the methods that nothing shadows, from client-go's fake: it lies one level deeper.
type coreV1Rest struct{ typedcorev1.EventInterface }

// CreateWithEventNamespaceWithContext implements typedcorev1.EventExpansion.
func (e coreV1Events) CreateWithEventNamespaceWithContext(
	ctx context.Context, event *corev1.Event,
) (*corev1.Event, error) {
	in, err := e.in(event.Namespace)
	if err != nil {
		return nil, err
	}
	return in.Create(ctx, event, metav1.CreateOptions{})
}

// UpdateWithEventNamespaceWithContext implements typedcorev1.EventExpansion.
func (e coreV1Events) UpdateWithEventNamespaceWithContext(
	ctx context.Context, event *corev1.Event,
) (*corev1.Event, error) {
	in, err := e.in(event.Namespace)
	if err != nil {
		return nil, err
	}
	return in.Update(ctx, event, metav1.UpdateOptions{})
}

// PatchWithEventNamespaceWithContext implements typedcorev1.EventExpansion.
func (e coreV1Events) PatchWithEventNamespaceWithContext(
	ctx context.Context, event *corev1.Event, data []byte,
) (*corev1.Event, error) {
	in, err := e.in(event.Namespace)
	if err != nil {
		return nil, err
	}
	return in.Patch(ctx, event.Name, types.StrategicMergePatchType, data, metav1.PatchOptions{})
}

// CreateWithEventNamespace implements typedcorev1.EventExpansion.
func (e coreV1Events) CreateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	return e.CreateWithEventNamespaceWithContext(context.Background(), event)
}

// UpdateWithEventNamespace implements typedcorev1.EventExpansion.
func (e coreV1Events) UpdateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	return e.UpdateWithEventNamespaceWithContext(context.Background(), event)
}

// PatchWithEventNamespace implements typedcorev1.EventExpansion.
func (e coreV1Events) PatchWithEventNamespace(event *corev1.Event, data []byte) (*corev1.Event, error) {
	return e.PatchWithEventNamespaceWithContext(context.Background(), event, data)
}

// in is the shared client for the event's own namespace. A client for one namespace refuses another before sending
// anything, as client-go's does.
func (e coreV1Events) in(namespace string) (*typedEvents[*corev1.Event, *corev1.EventList], error) {
	if e.namespace != "" && e.namespace != namespace {
		return nil, fmt.Errorf("eventstest: an event of namespace %q through the client for namespace %q; "+
			"use a client for its own or for all", namespace, e.namespace)
	}
	own := *e.typedEvents
	own.namespace = namespace
	return &own, nil
}
