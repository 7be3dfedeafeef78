// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A status write and a bump of the API version must not split a series.
func TestObjectOfIgnoresVersions(t *testing.T) {
	ref := func(apiVersion, resourceVersion string) *corev1.ObjectReference {
		return &corev1.ObjectReference{
			APIVersion: apiVersion, Kind: "Deployment", Namespace: "default", Name: "web", UID: "u", FieldPath: "spec",
			ResourceVersion: resourceVersion,
		}
	}
	want := Object{Group: "apps", Kind: "Deployment", Namespace: "default", Name: "web", UID: "u", FieldPath: "spec"}
	for _, r := range []*corev1.ObjectReference{ref("apps/v1", "1"), ref("apps/v1", "2"), ref("apps/v1beta2", "")} {
		if diff := cmp.Diff(want, ObjectOf(r)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", r, diff)
		}
	}
	if got := ObjectOf(ref("v1", "1")).Group; got != "" {
		t.Errorf("group %q of the core API, want none", got)
	}
}

func TestVersionOf(t *testing.T) {
	for apiVersion, want := range map[string][2]string{
		"": {"", ""}, "v1": {"", "v1"}, "apps/v1": {"apps", "v1"}, "apps/": {"apps", ""}, "/v1": {"", "/v1"},
		"a/b/c": {"a", "b/c"},
	} {
		ref := &corev1.ObjectReference{APIVersion: apiVersion}
		if got := [2]string{ObjectOf(ref).Group, VersionOf(ref)}; got != want {
			t.Errorf("%q is %q, want %q", apiVersion, got, want)
		}
	}
}

// What a Drop names the object by has its group and no version.
func TestReferenceWithoutVersion(t *testing.T) {
	o := Object{Group: "apps", Kind: "Deployment", Namespace: "default", Name: "web", UID: "u"}
	ref := o.Reference()
	if diff := cmp.Diff(o, ObjectOf(&ref)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Every field of a key tells series apart, so that a new one cannot be left out
// of the fuzz test unnoticed.
func TestKeyEveryFieldCounts(t *testing.T) {
	if got := countStrings(reflect.TypeFor[Key]()); got != keyParts {
		t.Errorf("a key has %d strings, of which the fuzz test knows %d", got, keyParts)
	}
}

const keyParts = 18

func countStrings(t reflect.Type) (n int) {
	if t.Kind() == reflect.String {
		return 1
	}
	for i := range t.NumField() {
		n += countStrings(t.Field(i).Type)
	}
	return n
}

func fuzzedKey(p []string) Key {
	object := func(p []string) Object {
		return Object{Group: p[0], Kind: p[1], Namespace: p[2], Name: p[3], UID: types.UID(p[4]), FieldPath: p[5]}
	}
	return Key{
		Type: p[0], Action: p[1], Reason: p[2], ReportingController: p[3], ReportingInstance: p[4],
		Regarding: object(p[5:]), Related: object(p[11:]), Note: p[17],
	}
}

func (k Key) parts() []string {
	object := func(o Object) []string {
		return []string{o.Group, o.Kind, o.Namespace, o.Name, string(o.UID), o.FieldPath}
	}
	p := []string{k.Type, k.Action, k.Reason, k.ReportingController, k.ReportingInstance}
	return append(append(append(p, object(k.Regarding)...), object(k.Related)...), k.Note)
}

// FuzzKey: two tuples differ if and only if their keys do, however the strings
// are distributed over the fields, and the cache finds a series by any copy of
// its key and by no other. Caught: a shard chosen by where the key lies in memory.
func FuzzKey(f *testing.F) {
	f.Add("a|b", "a||b")
	f.Add(strings.Repeat("x|", keyParts), strings.Repeat("x|", keyParts))
	f.Fuzz(func(t *testing.T, first, second string) {
		a, b := splitParts(first), splitParts(second)
		ka, kb := fuzzedKey(a), fuzzedKey(b)
		same := strings.Join(a, "|") == strings.Join(b, "|")
		if same != (ka == kb) {
			t.Errorf("%q and %q: same tuple %v, same key %v", a, b, same, ka == kb)
		}
		if diff := cmp.Diff(a, ka.parts()); diff != "" {
			t.Errorf("key (-want +got):\n%s", diff)
		}
		pa, pb := ka.pack(nil), kb.pack(nil)
		if packed := bytes.Equal(pa.text, pb.text); packed != same {
			t.Errorf("%q and %q: same tuple %v, packed alike %v", a, b, same, packed)
		}
		c := NewCache(intervals, 1)
		r, _ := c.Insert(&ka, &Head{}, &Occurrence{At: epoch})
		clone := r.Series.Key()
		if clone != ka {
			t.Errorf("kept as %+v, want %+v", clone, ka)
		}
		for _, k := range []*Key{&clone, &kb} {
			if got := !c.Observe(k, &Occurrence{At: epoch}).Missing; got != (*k == ka) {
				t.Errorf("%q: found %v as %q", a, got, k.parts())
			}
		}
	})
}

// splitParts makes a tuple of a string.
func splitParts(s string) []string {
	parts := strings.SplitN(s, "|", keyParts)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "|", "")
	}
	return append(parts, make([]string, keyParts-len(parts))...)
}

// FuzzReference: the first occurrence's full reference goes on the wire.
func FuzzReference(f *testing.F) {
	f.Add("apps/v1", "Deployment", "default", "web", "uid", "7", "spec.containers{web}")
	f.Add("/v1", "", "", "", "", "", "")
	f.Add("a/b/c", "", "", "", "", "", "")
	f.Fuzz(func(t *testing.T, apiVersion, kind, namespace, name, uid, resourceVersion, fieldPath string) {
		want := corev1.ObjectReference{
			APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: name, UID: types.UID(uid),
			ResourceVersion: resourceVersion, FieldPath: fieldPath,
		}
		o := ObjectOf(&want)
		if diff := cmp.Diff(want, o.reference(VersionOf(&want), resourceVersion)); diff != "" {
			t.Errorf("reference (-want +got):\n%s", diff)
		}
		if other := (&corev1.ObjectReference{
			APIVersion: o.Group + "/other", Kind: kind, Namespace: namespace, Name: name, UID: types.UID(uid),
			FieldPath: fieldPath,
		}); o.Group != "" && ObjectOf(other) != o {
			t.Errorf("another version is another object: %+v", other)
		}
	})
}

// Caught: a length of two bytes whose second one is left out.
func TestPackedTextsOfEveryLength(t *testing.T) {
	var packed []byte
	lengths := []int{0, 1, 127, 128, 129, 255, 16383, 16384, 1 << 20, 0}
	for _, n := range lengths {
		packed = pack(packed, strings.Repeat("x", n))
	}
	u := unpacker{string(packed)}
	for _, n := range lengths {
		if got := len(u.text()); got != n {
			t.Errorf("a text of %d bytes, want %d", got, n)
		}
	}
	if u.rest != "" {
		t.Errorf("%d bytes are left", len(u.rest))
	}
}

// A series lives long: it must not keep the object it was cut from in memory.
func TestSeriesRetainsNothing(t *testing.T) {
	const texts = keyParts + 7
	owned := []byte(strings.Repeat("abcdefgh", texts))
	p := make([]string, texts)
	for i := range p {
		p[i] = unsafe.String(&owned[8*i], 8)
	}
	k, h := fuzzedKey(p), Head{EventTime: epoch, HasRelated: true}
	h.Namespace, h.Name, h.Note = p[18], p[19], p[20]
	h.RegardingVersion, h.RegardingResourceVersion, h.RelatedVersion, h.RelatedResourceVersion = p[21], p[22], p[23], p[24]
	s := newSeries(k.pack(nil), &h)
	clear(owned)
	wantHead := Head{
		Namespace: "abcdefgh", Name: "abcdefgh", Note: "abcdefgh", EventTime: epoch, HasRelated: true,
		RegardingVersion: "abcdefgh", RegardingResourceVersion: "abcdefgh",
		RelatedVersion: "abcdefgh", RelatedResourceVersion: "abcdefgh",
	}
	if diff := cmp.Diff(wantHead, s.Head()); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
	if got, want := strings.Join(s.Key().parts(), ""), strings.Repeat("abcdefgh", keyParts); got != want {
		t.Errorf("key %q after the caller's memory was overwritten, want %q", got, want)
	}
}

// What the head is made of comes back in its own place.
func TestSeriesKeepsTheHead(t *testing.T) {
	want := Head{
		Namespace: "a", Name: "b", Note: "c", RegardingVersion: "d", RegardingResourceVersion: "e",
		RelatedVersion: "f", RelatedResourceVersion: "g", EventTime: epoch, HasRelated: true,
	}
	k := keyOf("web", warning)
	if diff := cmp.Diff(want, newSeries(k.pack(nil), &want).Head()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
