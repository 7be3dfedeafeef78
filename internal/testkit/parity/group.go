// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// event is an Event of either group.
type event interface {
	runtime.Object
	metav1.Object
}

// eventClient is what the typed clients of both groups have in common.
type eventClient[T event, L runtime.Object] interface {
	Create(ctx context.Context, event T, opts metav1.CreateOptions) (T, error)
	Update(ctx context.Context, event T, opts metav1.UpdateOptions) (T, error)
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, opts metav1.PatchOptions,
		subresources ...string) (T, error)
	Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error)
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
	deleter
}

// group is one of the two ways to Events.
type group interface {
	create(ctx context.Context, r request, name string) (event, error)
	update(ctx context.Context, r request, name string) (event, error)
	patch(ctx context.Context, r request, name string) (event, error)
	get(ctx context.Context, name string) (event, error)
	list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error)
	deleter
}

// deleter is what the typed clients have that says nothing of an Event's type.
type deleter interface {
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
	DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

func groupOf(client kubernetes.Interface, name, namespace string) group {
	switch name {
	case "events":
		events := client.EventsV1().Events(namespace)
		return newTyped(name, events, func() *eventsv1.Event { return &eventsv1.Event{} })
	case "core":
		events := client.CoreV1().Events(namespace)
		return newTyped(name, events, func() *corev1.Event { return &corev1.Event{} })
	default:
		panic(fmt.Sprintf("parity: no group %q", name))
	}
}

// typed sends requests through a typed client.
type typed[T event, L runtime.Object] struct {
	deleter
	group    string
	client   eventClient[T, L]
	newEvent func() T
}

func newTyped[T event, L runtime.Object](
	group string, client eventClient[T, L], newEvent func() T,
) typed[T, L] {
	return typed[T, L]{client, group, client, newEvent}
}

func (g typed[T, L]) create(ctx context.Context, r request, name string) (event, error) {
	body, err := g.body(ctx, r, name)
	if err != nil {
		return nil, err
	}
	return g.client.Create(ctx, body, metav1.CreateOptions{DryRun: r.dryRun()})
}

func (g typed[T, L]) update(ctx context.Context, r request, name string) (event, error) {
	body, err := g.body(ctx, r, name)
	if err != nil {
		return nil, err
	}
	return g.client.Update(ctx, body, metav1.UpdateOptions{DryRun: r.dryRun()})
}

// body decodes the request's edits over its base.
func (g typed[T, L]) body(ctx context.Context, r request, name string) (body T, err error) {
	if base := r.next(); base == "stored" {
		if body, err = g.client.Get(ctx, name, metav1.GetOptions{}); err != nil {
			return body, err
		}
	} else {
		body = g.newEvent()
		var texts map[string]json.RawMessage
		decode(string(bases), &texts)
		decode(r.place.Replace(string(texts[g.group+" "+base])), body)
	}
	if r.rest != "" {
		decode(r.rest, body)
	}
	return body, nil
}

// decode panics about fields that are misspelt in the table.
func decode(text string, into any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		panic(fmt.Sprintf("parity: %s: %v", text, err))
	}
}

var patchTypes = map[string]types.PatchType{
	"strategic": types.StrategicMergePatchType,
	"merge":     types.MergePatchType,
	"json":      types.JSONPatchType,
	"apply":     types.ApplyYAMLPatchType,
}

func (g typed[T, L]) patch(ctx context.Context, r request, name string) (event, error) {
	kind := patchTypes[r.next()]
	options := metav1.PatchOptions{DryRun: r.dryRun()}
	if kind == types.ApplyYAMLPatchType {
		options.FieldManager = "parity"
	}
	return g.client.Patch(ctx, name, kind, []byte(r.rest), options)
}

func (g typed[T, L]) get(ctx context.Context, name string) (event, error) {
	return g.client.Get(ctx, name, metav1.GetOptions{})
}

func (g typed[T, L]) list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return g.client.List(ctx, options)
}
