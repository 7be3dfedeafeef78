// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/internal/testkit/store"
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
	if err := store.CheckSelectors(opts); err != nil {
		return e.newList(), err
	}
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
	if err := store.CheckSelectors(listOpts); err != nil {
		return err
	}
	_, err := e.clientset.invoke(ctx, clienttesting.NewDeleteCollectionActionWithOptions(
		e.resource, e.namespace, opts, listOpts))
	return err
}

// Watch implements EventInterface. The end of ctx ends the watch.
func (e *typedEvents[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	if err := store.CheckSelectors(opts); err != nil {
		return nil, err
	}
	return e.clientset.invokeWatch(ctx, clienttesting.NewWatchActionWithOptions(e.resource, e.namespace, opts))
}

// event sends an action whose answer is one Event. Like a real client it returns an empty one with an error, and does
// not send what has a name that no path can have.
func (e *typedEvents[T, L]) event(ctx context.Context, action clienttesting.Action) (T, error) {
	if err := checkName(action); err != nil {
		return e.newEvent(), err
	}
	object, err := e.clientset.invoke(ctx, action)
	if event, ok := object.(T); ok && err == nil {
		return event, nil
	}
	return e.newEvent(), err
}
