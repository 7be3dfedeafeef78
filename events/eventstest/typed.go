// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"

	"github.com/eventseries/eventseries/internal/testkit/store"
)

// typedEvents implements the methods that the Event clients of both API groups have in common. T is
// a pointer to an Event of one group, and L is a pointer to a list of them.
type typedEvents[T, L runtime.Object] struct {
	clientset *Clientset
	via       schema.GroupVersion
	namespace string
}

// Create implements EventInterface.
func (e *typedEvents[T, L]) Create(ctx context.Context, event T, opts metav1.CreateOptions) (T, error) {
	return e.one(ctx, e.request("create", "", event), opts.DryRun, func(r store.Request) (*corev1.Event, error) {
		return e.clientset.store.Create(r, store.FromView(event))
	})
}

// Update implements EventInterface.
func (e *typedEvents[T, L]) Update(ctx context.Context, event T, opts metav1.UpdateOptions) (T, error) {
	stored := store.FromView(event)
	request := e.request("update", stored.Name, event)
	return e.one(ctx, request, opts.DryRun, func(r store.Request) (*corev1.Event, error) {
		return e.clientset.store.Update(r, stored)
	})
}

// Patch implements EventInterface.
func (e *typedEvents[T, L]) Patch(
	ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, _ ...string,
) (T, error) {
	return e.one(ctx, e.request("patch", name, nil), opts.DryRun, func(r store.Request) (*corev1.Event, error) {
		return e.clientset.store.Patch(r, store.Patch{Type: pt, Body: data})
	})
}

// Get implements EventInterface.
func (e *typedEvents[T, L]) Get(ctx context.Context, name string, _ metav1.GetOptions) (T, error) {
	return e.one(ctx, e.request("get", name, nil), nil, e.clientset.store.Get)
}

// List implements EventInterface.
func (e *typedEvents[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	list, err := ask(ctx, e.clientset, e.request("list", "", nil), func() (runtime.Object, error) {
		events, version, err := e.clientset.store.List(e.at("", nil), opts)
		return store.ListView(e.via, events, version), err
	})
	if err != nil {
		// A real client returns an empty list, too.
		list = store.ListView(e.via, nil, "")
	}
	return list.(L), err
}

// Delete implements EventInterface.
func (e *typedEvents[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	_, err := ask(ctx, e.clientset, e.request("delete", name, nil), func() (any, error) {
		return nil, e.clientset.store.Delete(e.at(name, opts.DryRun))
	})
	return err
}

// DeleteCollection implements EventInterface.
func (e *typedEvents[T, L]) DeleteCollection(
	ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions,
) error {
	_, err := ask(ctx, e.clientset, e.request("deletecollection", "", nil), func() (any, error) {
		return nil, e.clientset.store.DeleteAll(e.at("", opts.DryRun), listOpts)
	})
	return err
}

// Watch implements EventInterface. The end of ctx ends the watch.
func (e *typedEvents[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	w, err := ask(ctx, e.clientset, e.request("watch", "", nil), func() (watch.Interface, error) {
		return e.clientset.store.Watch(e.at("", nil), opts)
	})
	switch {
	case err == nil:
		context.AfterFunc(ctx, w.Stop)
		return w, nil
	case w != nil:
		// The answer was lost.
		w.Stop()
	}
	return nil, err
}

// one sends a request whose answer is a single Event. Like a real client, it returns an empty Event
// together with an error.
func (e *typedEvents[T, L]) one(
	ctx context.Context, request Request, dryRun []string, send func(store.Request) (*corev1.Event, error),
) (T, error) {
	event, err := ask(ctx, e.clientset, request, func() (*corev1.Event, error) {
		return send(e.at(request.Name, dryRun))
	})
	if err != nil {
		event = &corev1.Event{}
	}
	return store.View(e.via, event).(T), err
}

func (e *typedEvents[T, L]) request(verb, name string, object runtime.Object) Request {
	return Request{
		Verb:      verb,
		Group:     e.via.Group,
		Resource:  "events",
		Namespace: e.namespace,
		Name:      name,
		Object:    object,
	}
}

func (e *typedEvents[T, L]) at(name string, dryRun []string) store.Request {
	return store.Request{
		Via:         e.via,
		Namespace:   e.namespace,
		Name:        name,
		DryRun:      slices.Contains(dryRun, metav1.DryRunAll),
		Terminating: e.clientset.isTerminating,
	}
}

// EventsV1 implements kubernetes.Interface. The dynamic type of the result is not client-go's
// *FakeEventsV1.
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
		&typedEvents[*eventsv1.Event, *eventsv1.EventList]{g.clientset, eventsv1.SchemeGroupVersion, namespace},
		eventsV1Rest{g.EventsV1Interface.Events(namespace)},
	}
}

type eventsV1Events struct {
	*typedEvents[*eventsv1.Event, *eventsv1.EventList]
	eventsV1Rest
}

// eventsV1Rest provides the methods of client-go's fake that typedEvents lacks. It is embedded one
// level deeper than typedEvents, so the methods of typedEvents shadow those of the fake.
type eventsV1Rest struct{ typedeventsv1.EventInterface }

// CoreV1 implements kubernetes.Interface. The dynamic type of the result is not client-go's
// *FakeCoreV1.
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
		&typedEvents[*corev1.Event, *corev1.EventList]{g.clientset, corev1.SchemeGroupVersion, namespace},
		coreV1Rest{g.CoreV1Interface.Events(namespace)},
	}
}

type coreV1Events struct {
	*typedEvents[*corev1.Event, *corev1.EventList]
	coreV1Rest
}

// coreV1Rest provides the methods of client-go's fake that typedEvents and coreV1Events lack. It is
// embedded one level deeper than typedEvents, so the methods of typedEvents and coreV1Events shadow
// those of the fake.
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
