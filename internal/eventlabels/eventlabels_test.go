// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventlabels

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Add keeps the labels that the API server accepts, and its error names the others.
func TestAdd(t *testing.T) {
	long := map[string]string{}
	for i := range 100 {
		long[fmt.Sprintf("%s.example.com/l%02d", strings.Repeat("x", 40), i)] = strings.Repeat("v", 60)
	}
	for _, test := range []struct {
		name, text string
		more       map[string]string
		want       string
		// problems has one part of the text of each problem.
		problems []string
	}{
		{name: "none"},
		{name: "sorted", more: map[string]string{"b": "2", "example.com/a": "1", "a": ""}, want: "a=,b=2,example.com/a=1"},
		{name: "more", text: "a=1,b=2", more: map[string]string{"b": "3", "c": "4"}, want: "a=1,b=3,c=4"},
		{name: "key", text: "a=1", more: map[string]string{"a b": "x", "": "x"}, want: "a=1", problems: []string{`"a b"`, `""=`}},
		{name: "upper-case domain", more: map[string]string{"Example.com/a": "x"}, problems: []string{"Example.com"}},
		{name: "value", text: "a=1", more: map[string]string{"a": "no, b=c"}, want: "a=1", problems: []string{`"no, b=c"`}},
		{name: "long value", more: map[string]string{"a": strings.Repeat("x", 64)}, problems: []string{"63"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Add(test.text, test.more)
			if got != test.want {
				t.Errorf("Add() = %q, want %q", got, test.want)
			}
			if (err != nil) != (len(test.problems) > 0) {
				t.Errorf("Add() = %v, want problems %q", err, test.problems)
			}
			for _, part := range test.problems {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("Add() = %v, want %q in it", err, part)
				}
			}
		})
	}
	if text, err := Add("a=1", long); err == nil || !strings.Contains(err.Error(), "4096") || text != "a=1" {
		t.Errorf("%d bytes of many labels, %v, want those before alone", len(text), err)
	}
}

// FuzzAdd checks that the kept labels pass the API machinery's validation and are parsed to the
// same labels, and that every valid label is kept.
func FuzzAdd(f *testing.F) {
	f.Add("app", "web", "app", "api")
	f.Add("example.com/a", "x", "a=b,c", "d,e=f")
	f.Add("", "", "Example.com/A", "\xff")
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string) {
		want := map[string]string{}
		for _, label := range [][2]string{{k1, v1}, {k2, v2}} {
			one := map[string]string{label[0]: label[1]}
			if len(metav1validation.ValidateLabels(one, field.NewPath("labels"))) == 0 {
				want[label[0]] = label[1]
			}
		}
		first, _ := Add("", map[string]string{k1: v1})
		text, _ := Add(first, map[string]string{k2: v2})
		got := Parse(text)
		if len(got) == 0 && len(want) == 0 {
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
	})
}

// FuzzAnnotations checks that the repaired annotations pass the server's own validation and our
// limit, and that every annotation that needs no repair is kept.
func FuzzAnnotations(f *testing.F) {
	for i, text := range []string{"", "%", "a/b/c", "a..b/c", "A.b/C_", "---", "a\xffb", "\u212a/x", "a b", strings.Repeat("a.", 200) + "/x"} {
		f.Add("example.com/a", text, text, "v\xff", uint16(1+i*4000))
	}
	f.Add("a/b", "v", "a/c", "vv", uint16(32766))
	f.Add("a", "\xe2\x82", "b", "\xffx", uint16(32767))
	f.Add("1", "\xac", "0", "0\xe6", uint16(24101))
	f.Fuzz(func(t *testing.T, key, value, otherKey, otherValue string, repeat uint16) {
		given := map[string]string{key: value, otherKey: strings.Repeat(otherValue[:min(2, len(otherValue))], int(repeat))}
		kept, repaired := RepairAnnotations(given)
		errs := apivalidation.ValidateAnnotations(kept, field.NewPath("annotations"))
		if size := totalSize(kept); len(errs) > 0 || size > MaxAnnotations {
			t.Errorf("%.300q became %.300q of %d bytes: %v", given, kept, size, errs)
		}
		if repaired == maps.Equal(given, kept) {
			t.Errorf("%.300q became %.300q, repaired %v", given, kept, repaired)
		}
		valid := map[string]string{}
		for k, v := range given {
			if annotationKeyValid(k) {
				valid[k] = strings.ToValidUTF8(v, "\uFFFD")
			}
		}
		for k, v := range kept {
			if !utf8.ValidString(v) || !strings.HasPrefix(valid[k], v) {
				t.Errorf("%q is %.300q, want %.300q", k, v, valid[k])
			}
		}
		if totalSize(given) <= MaxAnnotations && totalSize(valid) <= MaxAnnotations && !maps.Equal(valid, kept) {
			t.Errorf("%.300q is left, want %.300q", kept, valid)
		}
	})
}

func totalSize(annotations map[string]string) (size int) {
	for k, v := range annotations {
		size += len(k) + len(v)
	}
	return size
}
