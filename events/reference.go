// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/reference"

	"github.com/eventseries/eventseries/internal/foreign"
	"github.com/eventseries/eventseries/internal/series"
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

// identify reads what a series key needs of obj, without allocating. Code of
// the caller runs here; no lock is held.
func (r *referrer) identify(obj runtime.Object) (id series.Object, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(obj, p)
		}
	}()
	id, err = r.identity(obj)
	if err == nil && sizeOf(&id) > maxReference {
		return series.Object{}, errTooLong
	}
	return id, err
}

func sizeOf(id *series.Object) int {
	return len(id.Group) + len(id.Kind) + len(id.Namespace) + len(id.Name) + len(id.UID) + len(id.FieldPath)
}

func (r *referrer) identity(obj runtime.Object) (id series.Object, err error) {
	if obj == nil {
		return id, reference.ErrNilObject
	}
	if ref, ok := obj.(*corev1.ObjectReference); ok {
		return series.ObjectOf(ref), nil
	}
	object, err := meta.Accessor(obj)
	if err != nil {
		ref, err := reference.GetReference(r.scheme, obj) // a list, or nothing at all
		if err != nil {
			return id, err
		}
		return series.ObjectOf(ref), nil
	}
	gvk := obj.GetObjectKind().GroupVersionKind()
	if gvk.Empty() {
		if gvk, err = r.kindOf(obj); err != nil {
			return id, err
		}
	}
	return series.Object{
		Group: gvk.Group, Kind: gvk.Kind,
		Namespace: object.GetNamespace(), Name: object.GetName(), UID: object.GetUID(),
	}, nil
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

// refer returns the full reference for the wire.
func (r *referrer) refer(obj runtime.Object) (ref corev1.ObjectReference, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(obj, p)
		}
	}()
	full, err := reference.GetReference(r.scheme, obj)
	if err != nil {
		return ref, err
	}
	if len(full.APIVersion)+len(full.ResourceVersion) > maxReference {
		return ref, errTooLong
	}
	return *full, nil
}

func panicked(obj runtime.Object, p any) error {
	if v := reflect.ValueOf(obj); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("a nil %T", obj)
	}
	return fmt.Errorf("an accessor of %T %w", obj, foreign.Recovered(p))
}
