// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/tools/reference"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// referrer turns objects into references. It is safe for concurrent use.
type referrer struct {
	scheme *runtime.Scheme
	kinds  sync.Map // reflect.Type → schema.GroupVersionKind: the scheme's answers
}

// maxReference bounds what a series keeps of an object, in bytes. No object has
// names that long (most kinds allow 253 bytes), and the series in memory are
// counted, not weighed.
const maxReference = 4096

var errTooLong = fmt.Errorf("names and versions of more than %d bytes", maxReference)

// versions are what a reference says beyond what tells one object from another.
type versions struct{ api, resource string }

// refer reads what an event says of obj, without allocating. Code of the caller
// runs here; no lock is held.
func (r *referrer) refer(obj runtime.Object, id *series.Object) (v versions, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(obj, p)
		}
	}()
	if v, err = r.read(obj, id); err == nil && sizeOf(id)+len(v.api)+len(v.resource) > maxReference {
		err = errTooLong
	}
	return v, err
}

func sizeOf(id *series.Object) int {
	return len(id.Group) + len(id.Kind) + len(id.Namespace) + len(id.Name) + len(id.UID) + len(id.FieldPath)
}

// read says of every object what [reference.GetReference] does.
func (r *referrer) read(obj runtime.Object, id *series.Object) (v versions, err error) {
	if obj == nil {
		return v, reference.ErrNilObject
	}
	object, err := meta.Accessor(obj)
	if err != nil { // a reference, a list, or nothing at all
		ref, err := reference.GetReference(r.scheme, obj)
		if err != nil {
			return v, err
		}
		*id = series.ObjectOf(ref)
		return versions{series.VersionOf(ref), ref.ResourceVersion}, nil
	}
	gvk := kindSet(obj)
	if gvk.Empty() {
		if gvk, err = r.kindOf(obj); err != nil {
			return v, err
		}
	}
	id.Group, id.Kind = gvk.Group, gvk.Kind
	id.Namespace, id.Name, id.UID = object.GetNamespace(), object.GetName(), object.GetUID()
	return versions{gvk.Version, object.GetResourceVersion()}, nil
}

// kindSet returns the kind that the object itself says it is of. What typed
// clients and informers hand out nearly always says none, which is not worth
// parsing.
func kindSet(obj runtime.Object) schema.GroupVersionKind {
	kind := obj.GetObjectKind()
	if typed, ok := kind.(*metav1.TypeMeta); ok && *typed == (metav1.TypeMeta{}) {
		return schema.GroupVersionKind{}
	}
	return kind.GroupVersionKind()
}

// kindOf asks the scheme, once per type: its answer cannot change for the types
// registered. An error is not kept, since a type may be registered later.
func (r *referrer) kindOf(obj runtime.Object) (schema.GroupVersionKind, error) {
	t := reflect.TypeOf(obj)
	if gvk, ok := r.kinds.Load(t); ok {
		return gvk.(schema.GroupVersionKind), nil
	}
	if r.scheme == nil {
		return schema.GroupVersionKind{}, errors.New("the object has no kind and the recorder no scheme to look it up")
	}
	gvks, _, err := r.scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	if len(gvks) == 0 || gvks[0].Empty() {
		return schema.GroupVersionKind{}, fmt.Errorf("the scheme has no kind for %T", obj)
	}
	r.kinds.Store(t, gvks[0])
	return gvks[0], nil
}

// checkNamespace refuses what the API server does not take as a namespace.
func checkNamespace(namespace string) error {
	if series.PlainLabel(namespace) {
		return nil
	}
	if errs := validation.IsDNS1123Label(namespace); len(errs) > 0 {
		return fmt.Errorf("the regarding object's namespace %q is not a DNS label: %s", namespace, errs[0])
	}
	return nil
}

func panicked(obj runtime.Object, p any) error {
	if usercode.IsNil(obj) {
		return fmt.Errorf("a nil %T", obj)
	}
	return fmt.Errorf("an accessor of %T %w", obj, usercode.Recovered(p))
}

// logNoUID says once that readers will look for an Event in vain.
func (r *Recorder) logNoUID(key *series.Key) {
	r.b.noUID.Do(func() {
		r.logger.Info("Event about an object without UID: kubectl describe, which looks by UID, does not find it; "+
			"pass the object as the API server has it, or set UID in the reference",
			"object", klog.KRef(key.Regarding.Namespace, key.Regarding.Name), "kind", key.Regarding.Kind,
			"reason", key.Reason)
	})
}
