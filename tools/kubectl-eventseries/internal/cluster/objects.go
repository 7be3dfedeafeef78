// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/metadata"
)

// Object is one that Events may be about. A cluster-scoped one has no namespace.
type Object struct {
	schema.GroupKind
	Namespace, Name string
}

// Is reports whether a reference is to the object. References of some writers have no group.
func (o Object) Is(r *corev1.ObjectReference) bool {
	gv, err := schema.ParseGroupVersion(r.APIVersion)
	sameNamespace := o.Namespace == "" || o.Namespace == r.Namespace
	return o.Kind == r.Kind && o.Name == r.Name && sameNamespace &&
		(r.APIVersion == "" || err == nil && gv.Group == o.Group)
}

// Objects resolves TYPE/NAME... or TYPE NAME... as kubectl does. What cannot be read, or is gone, may still have Events:
// there is nil in found for it.
func (c *Client) Objects(args []string) (objects []Object, found []*unstructured.Unstructured, err error) {
	if len(args) == 0 {
		return nil, nil, nil
	}
	infos, err := resource.NewBuilder(c.Getter).Unstructured().NamespaceParam(c.Namespace).DefaultNamespace().
		ResourceTypeOrNameArgs(false, args...).RequireObject(false).Do().Infos()
	for _, info := range infos {
		o := Object{GroupKind: info.Mapping.GroupVersionKind.GroupKind(), Name: info.Name}
		if info.Namespaced() {
			o.Namespace = info.Namespace
		}
		err := info.Get()
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsForbidden(err) {
			return nil, nil, err
		}
		object, _ := info.Object.(*unstructured.Unstructured)
		objects, found = append(objects, o), append(found, object)
	}
	return objects, found, err
}

// Family knows what belongs to some objects by ownerReferences, such as a Deployment's ReplicaSets and their Pods. It asks
// for what an Event is about, and then for its owners. So it needs no list of types, and finds custom resources. What was
// deleted has no owner any more.
type Family struct {
	client  *Client
	objects metadata.Interface
	mapper  meta.RESTMapper
	members map[Object]bool
	warned  bool
}

// NewFamily returns the family of some objects.
func (c *Client) NewFamily(heads []Object) (*Family, error) {
	f := &Family{client: c, members: map[Object]bool{}}
	for _, o := range heads {
		f.members[o] = true
	}
	var err error
	if f.mapper, err = c.Getter.ToRESTMapper(); err != nil {
		return nil, err
	}
	f.objects, err = metadata.NewForConfig(c.Config)
	return f, err
}

// Has reports whether what an Event is about belongs to the family.
func (f *Family) Has(ctx context.Context, r *corev1.ObjectReference) bool {
	return f.has(ctx, Object{schema.FromAPIVersionAndKind(r.APIVersion, r.Kind).GroupKind(), r.Namespace, r.Name})
}

func (f *Family) has(ctx context.Context, o Object) bool {
	if _, known := f.members[o]; !known {
		f.members[o] = false // there are no cycles, unless somebody has made one
		f.members[o] = slices.ContainsFunc(f.owners(ctx, o), func(owner Object) bool { return f.has(ctx, owner) })
	}
	return f.members[o]
}

func (f *Family) owners(ctx context.Context, o Object) (owners []Object) {
	mapping, err := f.mapper.RESTMapping(o.GroupKind)
	if err != nil {
		return nil // a writer may invent kinds
	}
	var client metadata.ResourceInterface = f.objects.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		client = f.objects.Resource(mapping.Resource).Namespace(o.Namespace)
	}
	object, err := client.Get(ctx, o.Name, metav1.GetOptions{})
	if err != nil {
		if !apierrors.IsNotFound(err) && !f.warned {
			f.warned = true
			f.client.Warn("cannot read the owners of %s %s and others: %v", o.Kind, o.Name, err)
		}
		return nil
	}
	for _, r := range object.OwnerReferences {
		owner := Object{schema.FromAPIVersionAndKind(r.APIVersion, r.Kind).GroupKind(), o.Namespace, r.Name}
		if m, err := f.mapper.RESTMapping(owner.GroupKind); err == nil && m.Scope.Name() == meta.RESTScopeNameRoot {
			owner.Namespace = ""
		}
		owners = append(owners, owner)
	}
	return owners
}
