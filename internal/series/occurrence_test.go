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
// no other, and returns every text in its own field.
func FuzzKey(f *testing.F) {
	f.Add("a|b", "a||b", "v1|7")
	f.Add("Normal|a|r|c|c-1|g|k|ns|web", "Warning|a|r|c|c-1|g|k|ns|web", "ns|web.0123456789abcdef01234567|v1|7")
	f.Add("Normal|a|r|c|c|g|k|ns|web", "\x01|a|r|c|c|g|k|ns|web", "ns|web.0123456789ABCDEF01234567|v1|7")
	f.Add("Normal|a|r||c", "Normal|a|r|c|", "ns|web-0123456789abcdef01234567||")
	f.Add("|||||||||A", "|||||||||a", "v1|7")
	f.Add("a", "|a", "v1|7")
	f.Add("||||||||web|u", "||||||||db|u", "v1|7")
	f.Add("Normal|Kill|Killing", "Normal|Kill|Killing|", "v1|7")
	x := strings.Repeat("x", 1<<14)
	f.Add(x[:127]+"|"+x[:128]+"|"+x[:129], x[:16383]+"|"+x, x[:127]+"|"+x)
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
		r := observe(c, oa)
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
	for _, apiVersion := range []string{"", "v1", "apps/", "/v1", "a/b/c"} {
		f.Add(apiVersion, "", "", "", "", "", "")
	}
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
