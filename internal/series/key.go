// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Object identifies an object in a [Key]. It has the group instead of the
// apiVersion and no resourceVersion: neither a bump of the API version nor a
// write to the object makes it another object.
type Object struct {
	Group, Kind, Namespace, Name string
	UID                          types.UID
	FieldPath                    string
}

// ObjectOf reduces a reference to what identifies the object.
func ObjectOf(ref *corev1.ObjectReference) Object {
	group, _ := splitVersion(ref.APIVersion)
	return Object{
		Group: group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, UID: ref.UID, FieldPath: ref.FieldPath,
	}
}

// Key says which occurrences are isomorphic, that is, belong to one series
// (KEP-383: regarding, action, reason, reporting controller and instance,
// related; client-go adds the type, and so does this). It is a comparable
// struct: two different tuples can never share a key.
type Key struct {
	Type, Action, Reason                   string
	ReportingController, ReportingInstance string
	Regarding, Related                     Object
	// Note is empty unless notes tell series apart.
	Note string
}

// clone returns a key that retains none of the caller's memory.
func (k *Key) clone() Key {
	return Key{
		Type: strings.Clone(k.Type), Action: strings.Clone(k.Action), Reason: strings.Clone(k.Reason),
		ReportingController: k.ReportingController, ReportingInstance: k.ReportingInstance, // the recorder's own
		Regarding: k.Regarding.clone(), Related: k.Related.clone(),
		Note: strings.Clone(k.Note),
	}
}

func (o Object) clone() Object {
	return Object{
		Group: strings.Clone(o.Group), Kind: strings.Clone(o.Kind),
		Namespace: strings.Clone(o.Namespace), Name: strings.Clone(o.Name),
		UID: types.UID(strings.Clone(string(o.UID))), FieldPath: strings.Clone(o.FieldPath),
	}
}

// VersionOf returns what a reference's apiVersion says beyond the group.
func VersionOf(ref *corev1.ObjectReference) string {
	_, version := splitVersion(ref.APIVersion)
	return version
}

// splitVersion splits an apiVersion so that [schema.GroupVersion] joins the
// parts to the same string, also where it is none that the API machinery makes.
func splitVersion(apiVersion string) (group, version string) {
	if i := strings.IndexByte(apiVersion, '/'); i > 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

// Reference returns the reference without any version.
func (o Object) Reference() corev1.ObjectReference { return o.reference("", "") }

// reference rebuilds the full reference of the first occurrence.
func (o Object) reference(version, resourceVersion string) corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion: schema.GroupVersion{Group: o.Group, Version: version}.String(),
		Kind:       o.Kind, Namespace: o.Namespace, Name: o.Name, UID: o.UID, FieldPath: o.FieldPath,
		ResourceVersion: resourceVersion,
	}
}
