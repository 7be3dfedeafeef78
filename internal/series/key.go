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

// packedKey is a key on its way to its series. The note comes last, so that what
// comes before it tells which series differ in nothing else.
type packedKey struct {
	text []byte
	base int // the length without the note
}

// keyBuffer holds nearly every packed key, so that looking one up allocates
// nothing; a longer one is packed all the same.
const keyBuffer = 512

// pack appends the key to buf.
func (k *Key) pack(buf []byte) packedKey {
	buf = pack(pack(pack(buf, k.Type), k.Action), k.Reason)
	buf = pack(pack(buf, k.ReportingController), k.ReportingInstance)
	buf = k.Regarding.pack(buf)
	if k.Related == (Object{}) {
		buf = append(buf, unrelated)
	} else {
		buf = k.Related.pack(append(buf, related))
	}
	return packedKey{text: pack(buf, k.Note), base: len(buf)}
}

// What stands before the related object.
const (
	unrelated = iota
	related
)

func (o *Object) pack(buf []byte) []byte {
	buf = pack(pack(pack(buf, o.Group), o.Kind), o.Namespace)
	return pack(pack(pack(buf, o.Name), o.UID), o.FieldPath)
}

func (u *unpacker) key() Key {
	k := Key{
		Type: u.text(), Action: u.text(), Reason: u.text(),
		ReportingController: u.text(), ReportingInstance: u.text(),
		Regarding: u.object(),
	}
	if u.flag() == related {
		k.Related = u.object()
	}
	k.Note = u.text()
	return k
}

func (u *unpacker) object() Object {
	return Object{
		Group: u.text(), Kind: u.text(), Namespace: u.text(),
		Name: u.text(), UID: types.UID(u.text()), FieldPath: u.text(),
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

// APIVersion is the group with a version.
func (o Object) APIVersion(version string) string {
	return schema.GroupVersion{Group: o.Group, Version: version}.String()
}

// reference rebuilds the full reference of the first occurrence.
func (o Object) reference(version, resourceVersion string) corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion: o.APIVersion(version),
		Kind:       o.Kind, Namespace: o.Namespace, Name: o.Name, UID: o.UID, FieldPath: o.FieldPath,
		ResourceVersion: resourceVersion,
	}
}
