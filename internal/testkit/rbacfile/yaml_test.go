// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// Caught: a separator that is a part of a word; a document that ends with dots; a line end that only YAML knows.
func TestSplit(t *testing.T) {
	for _, r := range []struct {
		text string
		want []string
	}{
		{"a\n---b\n ---\n--- # c\n\n# d\ne\n---\tf\n---",
			[]string{`1 "a\n---b\n ---\n"`, `4 "--- # c\n\n# d\ne\n"`, `8 "---\tf\n"`, `9 "---"`}},
		{"a: b\n...\nc: d\r\n---\r\ne", []string{`1 "a: b\n...\n"`, `3 "c: d\r\n"`, `4 "---\r\ne"`}},
		{"\ufeffa\n", []string{`1 "a\n"`}},
		{"a\u0085b\u2028c\u2029---\n", []string{`1 "a\u0085b\u2028c\u2029"`, `4 "---\n"`}},
		{"", nil},
	} {
		var got []string
		for _, d := range Split(r.text) {
			got = append(got, fmt.Sprintf("%d %+q", d.Line, r.text[d.Start:d.End]))
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", r.text, diff)
		}
	}
}

// Caught: a line counted from the beginning of the document; the types' errors as one text of several lines.
func TestErrorLine(t *testing.T) {
	types := yaml.Unmarshal([]byte("\na: {}\nb: {}\n"), &struct{ A, B string }{})
	for _, r := range []struct {
		err  error
		line int
		what string
	}{
		{yaml.Unmarshal([]byte("\na: b\n c: d\n"), new(any)), 12, "mapping values are not allowed in this context"},
		{types, 11, "cannot unmarshal !!map into string"},
		{errors.New("error converting YAML to JSON: yaml: line 3: no"), 12, "no"},
		{errors.New("no line"), 10, "no line"},
	} {
		if line, what := ErrorLine(r.err, 10); line != r.line || what != r.what {
			t.Errorf("%v: line %d, %s; want %d, %s", r.err, line, what, r.line, r.what)
		}
	}
}
