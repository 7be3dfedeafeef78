// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"bytes"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// applyPatch returns old with a strategic merge patch applied to its via view. Old stays as it is.
func applyPatch(via schema.GroupVersion, old *corev1.Event, patch []byte) (*corev1.Event, error) {
	if via == corev1.SchemeGroupVersion {
		event, err := merge(old, patch)
		if err != nil {
			return nil, err
		}
		event.TypeMeta = metav1.TypeMeta{}
		return event, nil
	}
	event, err := merge(eventrules.FromCore(old), patch)
	if err != nil {
		return nil, err
	}
	return eventrules.ToCore(event), nil
}

// eventPointer is a pointer to an Event of either group.
type eventPointer[T any] interface {
	*T
	DeepCopy() *T
}

// merge returns a copy of old with patch merged into it.
func merge[T corev1.Event | eventsv1.Event, P eventPointer[T]](old P, patch []byte) (P, error) {
	if decodesInPlace(patch) {
		event := old.DeepCopy()
		if err := kubejson.Unmarshal(patch, event); err != nil {
			return nil, badPatch(patch, err)
		}
		return event, nil
	}
	return mergeTheLongWay[T](old, patch)
}

// mergeTheLongWay is apimachinery's strategic merge.
func mergeTheLongWay[T corev1.Event | eventsv1.Event, P eventPointer[T]](old P, patch []byte) (P, error) {
	before, err := json.Marshal(old)
	if err != nil {
		return nil, badPatch(patch, err)
	}
	after, err := strategicpatch.StrategicMergePatch(before, patch, *new(T))
	if err != nil {
		return nil, badPatch(patch, err)
	}
	event := P(new(T))
	if err := kubejson.Unmarshal(after, event); err != nil {
		return nil, badPatch(patch, err)
	}
	return event, nil
}

// decodesInPlace reports whether decoding patch over the object is the same as merging it strategically: a set field
// replaces, a map gains keys, a struct is merged. That is so without nulls, lists and $ directives (an escape could
// hide one). It is what series patches look like, and much faster, which a simulation with millions of them feels.
func decodesInPlace(patch []byte) bool {
	return !bytes.Contains(patch, []byte("null")) && !bytes.ContainsAny(patch, `[$\`)
}

// badPatch is the answer to a patch that cannot be merged: 400 if it is no JSON object, 422 if a value does not fit.
func badPatch(patch []byte, err error) error {
	var body map[string]any
	if err := kubejson.Unmarshal(patch, &body); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), fmt.Sprintf("%+v", body), err.Error()),
	})
}

// onTheWire returns a copy of event as it arrives at the server in JSON: times cut to microseconds, invalid UTF-8
// replaced byte by byte (which can exceed a limit that the original kept; protobuf, which client-go's typed clients
// prefer, would keep it), no TypeMeta.
func onTheWire(event *corev1.Event) (*corev1.Event, error) {
	body, err := json.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("eventstest: an event that cannot be encoded: %w", err)
	}
	arrived := &corev1.Event{}
	if err := json.Unmarshal(body, arrived); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	arrived.TypeMeta = metav1.TypeMeta{}
	return arrived, nil
}

// sameEvent compares two Events, the series first: that is where they mostly differ, and the whole takes long.
func sameEvent(a, b *corev1.Event) bool {
	return apiequality.Semantic.DeepEqual(a.Series, b.Series) && apiequality.Semantic.DeepEqual(a, b)
}
