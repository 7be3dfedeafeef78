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
	"k8s.io/client-go/tools/reference"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// referrer turns objects into references. It is safe for concurrent use.
type referrer struct {
	scheme *runtime.Scheme
	kinds  sync.Map // reflect.Type → *schema.GroupVersionKind: the scheme's answers
}

// maxReference bounds what a series keeps of an object, in bytes. No object has
// names that long (most kinds allow 253 bytes), and the series in memory are
// counted, not weighed.
const maxReference = 4096

// refer reads what an Event says about obj, without allocating. Code of the caller
// runs here; no lock is held.
func (r *referrer) refer(obj runtime.Object, ref *series.Reference) (err error) {
	panicked := usercode.Call(func() { err = r.read(obj, ref) })
	switch {
	case panicked != nil && usercode.IsNil(obj):
		return fmt.Errorf("a nil %T", obj)
	case panicked != nil:
		return fmt.Errorf("a method of %T %w", obj, panicked)
	case err == nil && ref.Len() > maxReference:
		return fmt.Errorf("the names and versions are longer than %d bytes together", maxReference)
	}
	return err
}

// read says about every object what [reference.GetReference] says.
func (r *referrer) read(obj runtime.Object, ref *series.Reference) error {
	if obj == nil {
		return reference.ErrNilObject
	}
	object, err := meta.Accessor(obj)
	if err != nil { // a reference, a list, or nothing at all
		full, err := reference.GetReference(r.scheme, obj)
		if err != nil {
			return err
		}
		*ref = series.NewReference(full)
		return nil
	}
	own := kindSet(obj)
	gvk := &own
	if own.Empty() {
		if gvk, err = r.kindOf(obj); err != nil {
			return err
		}
	}
	ref.Group, ref.Version, ref.Kind = gvk.Group, gvk.Version, gvk.Kind
	ref.Namespace, ref.Name, ref.UID = object.GetNamespace(), object.GetName(), object.GetUID()
	ref.ResourceVersion = object.GetResourceVersion()
	return nil
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
func (r *referrer) kindOf(obj runtime.Object) (*schema.GroupVersionKind, error) {
	t := reflect.TypeOf(obj)
	if gvk, ok := r.kinds.Load(t); ok {
		return gvk.(*schema.GroupVersionKind), nil
	}
	if r.scheme == nil {
		return nil, errors.New("the object has no kind and the recorder no scheme to look it up")
	}
	gvks, _, err := r.scheme.ObjectKinds(obj)
	if err != nil {
		return nil, err
	}
	r.kinds.Store(t, &gvks[0]) // there is one, or an error
	return &gvks[0], nil
}

// logNoUID logs once that kubectl describe does not show an Event.
func (r *Recorder) logNoUID(c *call) {
	r.b.noUID.Do(func() {
		r.logger.Info("The object has no UID, so kubectl describe does not show its Events; "+
			"set the UID, or pass an object that was read from the API server", "advice", "no-uid",
			"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name), "kind", c.Regarding.Kind, "reason", c.Reason)
	})
}
