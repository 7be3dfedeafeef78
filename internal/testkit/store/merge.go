// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// badDirectives are errors that the server answers with 400. Other errors of directives are a 500.
var badDirectives = []error{
	mergepatch.ErrBadJSONDoc, mergepatch.ErrBadPatchFormatForPrimitiveList, mergepatch.ErrBadPatchFormatForRetainKeys,
	mergepatch.ErrBadPatchFormatForSetElementOrderList, mergepatch.ErrUnsupportedStrategicMergePatchFormat,
}

// mergedStrategically is apimachinery's strategic merge.
func mergedStrategically(tree, changes map[string]any, like any) (map[string]any, error) {
	merged, err := strategicpatch.StrategicMergeMapPatch(tree, changes, like)
	switch {
	case err == nil:
		return merged, nil
	case slices.ContainsFunc(badDirectives, func(known error) bool { return errors.Is(err, known) }):
		return nil, apierrors.NewBadRequest(err.Error())
	default:
		return nil, internal(err.Error())
	}
}

// mergedJSON is RFC 7386. A patch that is null would replace the Event by nothing.
func mergedJSON(tree, changes map[string]any) (map[string]any, error) {
	if changes == nil {
		return nil, apierrors.NewBadRequest("invalid JSON patch: null")
	}
	return mergeMaps(tree, changes), nil
}

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

// misfit is the answer to a patch with a value that does not fit its field.
func misfit(changes map[string]any, err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), fmt.Sprintf("%+v", changes), err.Error()),
	})
}
