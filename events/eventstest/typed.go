// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	clienttesting "k8s.io/client-go/testing"
)

// typedEvents is the part of an event client that both groups share. It exists because client-go's fake clients drop
// the context and hold one lock during the whole request.
type typedEvents[T, L runtime.Object] struct {
	clientset *Clientset
	resource  schema.GroupVersionResource
	namespace string
	newEvent  func() T
	newList   func() L
}

// Create implements EventInterface.
func (e *typedEvents[T, L]) Create(ctx context.Context, event T, opts metav1.CreateOptions) (T, error) {
	return e.event(ctx, clienttesting.NewCreateActionWithOptions(e.resource, e.namespace, event, opts))
}

// Update implements EventInterface.
func (e *typedEvents[T, L]) Update(ctx context.Context, event T, opts metav1.UpdateOptions) (T, error) {
	return e.event(ctx, clienttesting.NewUpdateActionWithOptions(e.resource, e.namespace, event, opts))
}

// Patch implements EventInterface.
func (e *typedEvents[T, L]) Patch(
	ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string,
) (T, error) {
	return e.event(ctx, clienttesting.NewPatchSubresourceActionWithOptions(
		e.resource, e.namespace, name, pt, data, opts, subresources...))
}

// Get implements EventInterface.
func (e *typedEvents[T, L]) Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error) {
	return e.event(ctx, clienttesting.NewGetActionWithOptions(e.resource, e.namespace, name, opts))
}

// List implements EventInterface.
func (e *typedEvents[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	kind := e.resource.GroupVersion().WithKind("Event")
	object, err := e.clientset.invoke(ctx, clienttesting.NewListActionWithOptions(e.resource, kind, e.namespace, opts))
	if list, ok := object.(L); ok && err == nil {
		return list, nil
	}
	return e.newList(), err
}

// Delete implements EventInterface.
func (e *typedEvents[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	_, err := e.event(ctx, clienttesting.NewDeleteActionWithOptions(e.resource, e.namespace, name, opts))
	return err
}

// DeleteCollection implements EventInterface.
func (e *typedEvents[T, L]) DeleteCollection(
	ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions,
) error {
	_, err := e.clientset.invoke(ctx, clienttesting.NewDeleteCollectionActionWithOptions(
		e.resource, e.namespace, opts, listOpts))
	return err
}

// Watch implements EventInterface. The end of ctx ends the watch.
func (e *typedEvents[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return e.clientset.invokeWatch(ctx, clienttesting.NewWatchActionWithOptions(e.resource, e.namespace, opts))
}

// event sends an action whose answer is one Event. Like a real client it returns an empty one with an error.
func (e *typedEvents[T, L]) event(ctx context.Context, action clienttesting.Action) (T, error) {
	object, err := e.clientset.invoke(ctx, action)
	if event, ok := object.(T); ok && err == nil {
		return event, nil
	}
	return e.newEvent(), err
}

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
	return e.clientset.CoreV1().Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{})
}

// UpdateWithEventNamespaceWithContext implements typedcorev1.EventExpansion.
func (e coreV1Events) UpdateWithEventNamespaceWithContext(
	ctx context.Context, event *corev1.Event,
) (*corev1.Event, error) {
	return e.clientset.CoreV1().Events(event.Namespace).Update(ctx, event, metav1.UpdateOptions{})
}

// PatchWithEventNamespaceWithContext implements typedcorev1.EventExpansion.
func (e coreV1Events) PatchWithEventNamespaceWithContext(
	ctx context.Context, event *corev1.Event, data []byte,
) (*corev1.Event, error) {
	return e.clientset.CoreV1().Events(event.Namespace).
		Patch(ctx, event.Name, types.StrategicMergePatchType, data, metav1.PatchOptions{})
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
