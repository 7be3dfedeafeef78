// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The parts of an apiVersion join to the same string again, whatever it is.
func TestSplitVersion(t *testing.T) {
	for apiVersion, want := range map[string][2]string{
		"": {"", ""}, "v1": {"", "v1"}, "apps/v1": {"apps", "v1"}, "apps/": {"apps", ""}, "/v1": {"", "/v1"},
		"a/b/c": {"a", "b/c"},
	} {
		r := NewReference(&corev1.ObjectReference{APIVersion: apiVersion})
		if got := [2]string{r.Group, r.Version}; got != want {
			t.Errorf("%q is %q, want %q", apiVersion, got, want)
		}
	}
}

const (
	keyParts  = 18 // texts that tell series apart, the note included
	restParts = 7  // other texts of an occurrence: the Event's name, versions, and the labels
)

// Every text of an occurrence is in the fuzz test, so that a new one cannot be left
// out of the key, or of what is packed, unnoticed.
func TestEveryTextIsFuzzed(t *testing.T) {
	if got := countStrings(reflect.TypeFor[Occurrence]()); got != keyParts+restParts {
		t.Errorf("an occurrence has %d texts, of which the fuzz test knows %d", got, keyParts+restParts)
	}
}

func countStrings(t reflect.Type) (n int) {
	switch {
	case t.Kind() == reflect.String:
		return 1
	case t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]():
		return 0
	}
	for i := range t.NumField() {
		n += countStrings(t.Field(i).Type)
	}
	return n
}

// occurrenceOf distributes the texts p over the fields that tell series apart, and
// rest over the others.
func occurrenceOf(p, rest []string) *Occurrence {
	object := func(p []string, version, resourceVersion string) Reference {
		return Reference{
			Group: p[0], Kind: p[1], Namespace: p[2], Name: p[3], UID: types.UID(p[4]), FieldPath: p[5],
			Version: version, ResourceVersion: resourceVersion,
		}
	}
	return &Occurrence{
		Key: Key{
			Type: p[0], Action: p[1], Reason: p[2], ReportingController: p[3], ReportingInstance: p[4],
			Regarding: object(p[5:], rest[2], rest[3]), Related: object(p[11:], rest[4], rest[5]), HasRelated: true,
		},
		Note: p[17], DistinctNotes: 1, Namespace: rest[0], Name: FixedName(rest[1]), Labels: rest[6], At: epoch,
	}
}

// FuzzKey: two tuples have the same key if and only if they are equal, however the
// texts are distributed over the fields. The cache finds a series by its key and by
// no other, and returns every text in its own field. Caught: a shard chosen by where
// the key lies in memory.
func FuzzKey(f *testing.F) {
	f.Add("a|b", "a||b", "v1|7")
	f.Add("Normal|a|r|c|c-1|g|k|ns|web", "Warning|a|r|c|c-1|g|k|ns|web", "ns|web.0123456789abcdef01234567|v1|7")
	f.Add("Normal|a|r|c|c|g|k|ns|web", "\x01|a|r|c|c|g|k|ns|web", "ns|web.0123456789ABCDEF01234567|v1|7")
	f.Add("Normal|a|r||c", "Normal|a|r|c|", "ns|web-0123456789abcdef01234567||")
	f.Add(strings.Repeat("x|", keyParts), strings.Repeat("x|", keyParts), "a|b|c|d|e|f|g=1,h=2")
	f.Fuzz(func(t *testing.T, first, second, others string) {
		a, b, rest := splitParts(first, keyParts), splitParts(second, keyParts), splitParts(others, restParts)
		for _, parts := range [][]string{a, b} { // a recorder takes no other types
			if parts[0] != warning {
				parts[0] = normal
			}
		}
		if rest[1] == "" {
			rest[1] = "web.1" // a complete occurrence has a name
		}
		oa, ob := occurrenceOf(a, rest), occurrenceOf(b, make([]string, restParts))
		same := strings.Join(a, "|") == strings.Join(b, "|")
		if packed := bytes.Equal(oa.PackKey(nil).text, ob.PackKey(nil).text); packed != same {
			t.Errorf("%q and %q: same tuple %v, same key %v", a, b, same, packed)
		}
		c := newCache(intervals, 1)
		r, _ := insert(c, oa)
		kept := r.Series.First()
		kept.DistinctNotes, kept.At = 1, epoch
		if diff := cmp.Diff(*oa, kept, cmp.AllowUnexported(Name{})); diff != "" {
			t.Errorf("kept (-want +got):\n%s", diff)
		}
		for _, o := range []*Occurrence{&kept, ob} {
			want := o == &kept || same
			// The newest note of a group takes in other notes.
			o.DistinctNotes = 2
			if got := !observe(c, o).Missing; got != want {
				t.Errorf("%q: found %v as %+v", a, got, o)
			}
		}
	})
}

// splitParts makes a tuple of a string.
func splitParts(s string, n int) []string {
	parts := strings.SplitN(s, "|", n)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "|", "")
	}
	return append(parts, make([]string, n-len(parts))...)
}

// FuzzReference: the first occurrence's full reference goes on the wire, and its
// versions are no part of the key.
func FuzzReference(f *testing.F) {
	f.Add("apps/v1", "Deployment", "default", "web", "uid", "7", "spec.containers{web}")
	f.Add("/v1", "", "", "", "", "", "")
	f.Add("a/b/c", "", "", "", "", "", "")
	f.Fuzz(func(t *testing.T, apiVersion, kind, namespace, name, uid, resourceVersion, fieldPath string) {
		want := corev1.ObjectReference{
			APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: name, UID: types.UID(uid),
			ResourceVersion: resourceVersion, FieldPath: fieldPath,
		}
		r := NewReference(&want)
		if diff := cmp.Diff(want, r.ObjectReference()); diff != "" {
			t.Errorf("reference (-want +got):\n%s", diff)
		}
		other := r
		other.Version, other.ResourceVersion = "other", "other"
		if !bytes.Equal(r.packIdentity(nil), other.packIdentity(nil)) {
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

// A series lives long: it must not keep the object it was made from in memory.
func TestSeriesRetainsNothing(t *testing.T) {
	const texts = keyParts + restParts
	owned := []byte(strings.Repeat("abcdefgh", texts))
	p := make([]string, texts)
	for i := range p {
		p[i] = unsafe.String(&owned[8*i], 8)
	}
	o := occurrenceOf(p[:keyParts], p[keyParts:])
	s := newSeries(o.PackKey(nil), o)
	clear(owned)
	for i := range p {
		p[i] = "abcdefgh"
	}
	want := *occurrenceOf(p[:keyParts], p[keyParts:])
	want.Type, want.DistinctNotes, want.At = normal, 0, time.Time{}
	if diff := cmp.Diff(want, s.First(), cmp.AllowUnexported(Name{})); diff != "" {
		t.Errorf("after the caller's memory was overwritten (-want +got):\n%s", diff)
	}
}
