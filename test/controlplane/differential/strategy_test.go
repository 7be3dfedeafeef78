// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/apis/core"
	kubecorev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	kubeeventsv1 "k8s.io/kubernetes/pkg/apis/events/v1"
)

// scheme knows the stored Event and both views of it.
var scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		core.AddToScheme, kubecorev1.AddToScheme, kubeeventsv1.AddToScheme,
	} {
		if err := add(s); err != nil {
			panic(err)
		}
	}
	return s
}

// strategy is the registry's for Events (k8s.io/kubernetes/pkg/registry/core/event), which asks the validation below
// and nothing else, and takes more than twice as many packages to build.
type strategy struct {
	*runtime.Scheme
	names.NameGenerator
	via schema.GroupVersion
}

var (
	_ rest.RESTCreateStrategy = strategy{}
	_ rest.RESTUpdateStrategy = strategy{}
)

func (s strategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	return validation.ValidateEventCreate(obj.(*core.Event), s.via)
}

func (s strategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validation.ValidateEventUpdate(obj.(*core.Event), old.(*core.Event), s.via)
}

func (strategy) NamespaceScoped() bool                                            { return true }
func (strategy) AllowCreateOnUpdate(context.Context) bool                         { return true }
func (strategy) AllowUnconditionalUpdate(context.Context) bool                    { return true }
func (strategy) PrepareForCreate(context.Context, runtime.Object)                 {}
func (strategy) PrepareForUpdate(context.Context, runtime.Object, runtime.Object) {}
func (strategy) Canonicalize(runtime.Object)                                      {}
func (strategy) WarningsOnCreate(context.Context, runtime.Object) []string        { return nil }
func (strategy) WarningsOnUpdate(_ context.Context, _, _ runtime.Object) []string { return nil }

// silent is for the server's remark that it checks some of the metadata twice.
var silent = klog.NewContext(context.Background(), klog.Logger{})

// create is the server's word on a new Event, whose system fields it fills in.
func create(event *core.Event, via schema.GroupVersion) error {
	rest.WipeObjectMetaSystemFields(event)
	rest.FillObjectMetaSystemFields(event)
	ctx := request.WithNamespace(silent, event.Namespace)
	return rest.BeforeCreate(strategy{Scheme: scheme, NameGenerator: names.SimpleNameGenerator, via: via}, ctx, event)
}

// update is the server's word on old becoming event, which it defaults from old.
func update(event, old *core.Event, via schema.GroupVersion) error {
	ctx := request.WithNamespace(silent, event.Namespace)
	return rest.BeforeUpdate(strategy{Scheme: scheme, via: via}, ctx, event, old)
}

// stored converts a view to what the server stores.
func stored(view runtime.Object) (*core.Event, error) {
	event := &core.Event{}
	return event, scheme.Convert(view, event, nil)
}

// viewed converts a stored Event to its view through via.
func viewed(event *core.Event, via schema.GroupVersion) (runtime.Object, error) {
	view, err := scheme.New(via.WithKind("Event"))
	if err != nil {
		return nil, err
	}
	if err := scheme.Convert(event, view, nil); err != nil {
		return nil, err
	}
	view.GetObjectKind().SetGroupVersionKind(via.WithKind("Event"))
	return view, nil
}

// strict is the group version with rules of its own.
var strict = eventsv1.SchemeGroupVersion
