// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventlabels

import (
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// FuzzAnnotations: what is left passes the server's own check within our limit, and what can stay does.
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
