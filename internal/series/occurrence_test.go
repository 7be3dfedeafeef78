// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
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
		r := insert(c, oa)
		kept := r.Series.First()
		kept.DistinctNotes, kept.At = 1, epoch
		if diff := cmp.Diff(*oa, kept, cmp.AllowUnexported(Name{})); diff != "" {
			t.Errorf("kept (-want +got):\n%s", diff)
		}
		for _, o := range []*Occurrence{&kept, ob} {
			want := o == &kept || same
			// The newest note of a group takes in other notes.
			o.DistinctNotes = 2
			if _, got := c.Count(o, o.PackKey(nil)); got != want {
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

// newName is the name of an Event after it was kept and taken out again.
func newName(regarding string, now time.Time) string {
	o := &Occurrence{Key: Key{Regarding: Reference{Name: regarding}}, Name: NewName(now)}
	return ownName(NewSingle(o))
}

// generated is the name of an object, 16 digits of nanoseconds and 8 of the process.
var generated = regexp.MustCompile(`^(.+)\.([0-9a-f]{16})([0-9a-f]{8})$`)

// checkName checks name as the server does.
func checkName(t *testing.T, name string) {
	t.Helper()
	if errs := apivalidation.NameIsDNSSubdomain(name, false); len(errs) > 0 {
		t.Errorf("%q is no name: %v", name, errs)
	}
	if len(name) > validation.DNS1123SubdomainMaxLength {
		t.Errorf("%q has %d bytes", name, len(name))
	}
}

// kubectl describe lists Events without lastTimestamp by name.
func TestNewNameSortsByTime(t *testing.T) {
	var names []string
	for _, d := range []time.Duration{0, 0, time.Nanosecond, -time.Hour, 0, time.Second, 24 * time.Hour, -1} {
		names = append(names, newName("web", time.Now().Add(d)))
	}
	if !slices.IsSorted(names) || !generated.MatchString(newName("web", time.Time{})) { // a clock that is not set yet
		t.Errorf("%v are not in order", names)
	}
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%v are not unique", names)
	}
}

// What is plain at first sight is what the library takes.
func FuzzPlain(f *testing.F) {
	for _, name := range []string{
		"", "a", "z", "{", "9", "a-b", "-a", "a-", "a.b", "a..b", ".a", "a.", "a-.b", "a.-b", "A", "a_b", "0", "é", "a--b",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 63) + ".b",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got, want := PlainLabel(name), len(validation.IsDNS1123Label(name)) == 0; got != want {
			t.Errorf("label %q: %v, want %v", name, got, want)
		}
		long := len(name) > validation.DNS1123SubdomainMaxLength
		if got, want := plain(name), len(validation.IsDNS1123Subdomain(name)) == 0; got != want && !long {
			t.Errorf("subdomain %q: %v, want %v", name, got, want)
		}
	})
}

func FuzzNewName(f *testing.F) {
	long := strings.Repeat("a", 300)
	for _, seed := range []string{
		"web", "192.168.0.1", "", "System:Node_1", "..web..1..", "-", long[:228], long[:229], "\xffweb\x00", "é",
	} {
		f.Add(seed)
	}
	previous := ""
	f.Fuzz(func(t *testing.T, regarding string) {
		name := newName(regarding, epoch)
		checkName(t, name)
		m := generated.FindStringSubmatch(name)
		if (m != nil) != (regarding != "" && len(regarding) <= 228 && plain(regarding)) {
			t.Errorf("the name for %q is %q", regarding, name)
		}
		if m == nil {
			return
		}
		if m[1] != regarding {
			t.Errorf("the name for %q begins with %q", regarding, m[1])
		}
		if nano := m[2]; nano <= previous {
			t.Errorf("nanoseconds %s after %s", nano, previous)
		}
		previous = m[2]
		if m[3] != fmt.Sprintf("%08x", processID) {
			t.Errorf("%q does not end with the process", name)
		}
	})
}
