// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// Patch is the body of a PATCH request. Type must be a strategic merge patch or a merge patch.
type Patch struct {
	Type types.PatchType
	Body []byte
}

// Patch applies patch to the Event that r names and returns the stored result. The fields of the
// patch have the names of the request's API group.
func (s *Store) Patch(r Request, patch Patch) (*corev1.Event, error) {
	defer s.open()()
	old, err := s.find(r)
	if err != nil {
		return nil, err
	}
	event, err := patch.apply(r, old)
	if err != nil {
		return nil, err
	}
	if err := scope(r.Namespace, event); err != nil {
		return nil, err
	}
	if event.Name != r.Name {
		return nil, rules.NameMismatch(event.Name, r.Name)
	}
	return s.replace(r, old, event)
}

// apply returns a copy of old with the patch applied to it in the shape of the request's API group.
func (p Patch) apply(r Request, old *corev1.Event) (*corev1.Event, error) {
	if p.Type != types.StrategicMergePatchType && p.Type != types.MergePatchType {
		return nil, unsupportedPatch(p.Type)
	}
	if r.Via == corev1.SchemeGroupVersion {
		event, err := merge(old, p)
		if err != nil {
			return nil, err
		}
		event.TypeMeta = metav1.TypeMeta{}
		return event, nil
	}
	event, err := merge(eventconv.FromCore(old), p)
	if err != nil {
		return nil, err
	}
	return eventconv.ToCore(event), nil
}

// merge returns a copy of old with patch merged into it. Like the server, it converts the Event to
// a tree of maps, merges the patch into the tree, and converts the tree back.
func merge[T corev1.Event | eventsv1.Event](old *T, patch Patch) (*T, error) {
	var changes map[string]any
	if err := kubejson.Unmarshal(patch.Body, &changes); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(old)
	if err != nil {
		return nil, internal(err.Error())
	}
	if patch.Type == types.MergePatchType {
		tree = mergeMaps(tree, changes)
	} else {
		tree, err = strategicpatch.StrategicMergeMapPatch(tree, changes, *new(T))
		if err != nil {
			// The patch has a directive that is wrong.
			return nil, internal(err.Error())
		}
	}
	event := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree, event); err != nil {
		return nil, misfit(changes, err)
	}
	return event, nil
}

// mergeMaps applies a merge patch (RFC 7386) to tree and returns the result. It modifies tree.
func mergeMaps(tree, changes map[string]any) map[string]any {
	if tree == nil {
		tree = make(map[string]any)
	}
	for name, value := range changes {
		switch change := value.(type) {
		case nil:
			delete(tree, name)
		case map[string]any:
			below, _ := tree[name].(map[string]any)
			tree[name] = mergeMaps(below, change)
		default:
			tree[name] = value
		}
	}
	return tree
}

// misfit returns the answer to a patch that contains a value of the wrong type for its field.
func misfit(changes map[string]any, err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), fmt.Sprintf("%+v", changes), err.Error()),
	})
}
