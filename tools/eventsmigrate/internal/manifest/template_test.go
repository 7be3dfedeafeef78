// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What the parser sees of a template.
// Caught: braces in a string or a comment taken for an end; an inline control action that leaves a word; a second line
// of a value at the margin; a control action in front of text taken for a word.
func TestMask(t *testing.T) {
	for _, r := range []struct{ text, want string }{
		{"a: {{ .b }}", "a: ________"},
		{"a: x-{{ .b }}-{{ .c }}-y", "a: x-________-________-y"},
		{"{{- if .a }}\na: b\n  {{ end }}\n", "############\na: b\n  #########\n"},
		{"  {{ .a }} {{- end -}} \n", "  ######## ########### \n"},
		{"{{/* }} {{ */}}\n", "###############\n"},
		{"{{- /* a\n b */ -}}\r\nc", "########\n#########\r\nc"},
		{"a: {{ \"}}\\\"\" | b `}}` '}' }}", "a: _________________________"},
		{"a: {{ b\n  | c }}\n", "a: ____\n        \n"},
		{"{{ toYaml .b\n | c }}\n", "############\n#######\n"},
		{"a: [b{{ if .c }}, d{{ end }}]", "a: [b           , d         ]"},
		{"a: b {{- /* c */}}", "a: b              "},
		{"{{ if .a }}b: c{{ end }}", "@@@@@@@@@@@b: c         "},
		{"{{ .a }}: b", "________: b"},
		{"no actions } }", "no actions } }"},
	} {
		got, err := mask(r.text)
		if err != nil {
			t.Errorf("%q: %v", r.text, err)
		} else if diff := cmp.Diff(r.want, got.mask); diff != "" {
			t.Errorf("%q (-want +got)\n%s", r.text, diff)
		}
	}
	for text, want := range map[string]string{
		"a\n{{ b":          "line 2: a template action is not closed",
		"{{/* a }}":        "line 1: a template action is not closed",
		"{{ \"a }}\n}} b'": "line 1: a template action is not closed",
	} {
		if _, err := mask(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Which blocks the words of a template are in.
// Caught: the branches of an if taken for one; an end that closes the wrong block; a named template that does not cut.
func TestBlocks(t *testing.T) {
	const text = `{{ if .a }} if {{ else if .b }} elseif {{ range .c }} range {{ end }} also {{ else }} else {{ end }}
{{ define "t" }} named {{ end }}
 end {{ end }} unbalanced {{ else }} still `
	m, err := mask(text)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, word := range []string{"if", "elseif", "range", "also", "else", "named", "end", "unbalanced", "still"} {
		got[word] = m.blocks.blockAt(strings.Index(m.mask, " "+word+" ") + 1)
	}
	want := map[string]string{
		"if": "0.0/", "elseif": "0.1/", "range": "0.1/2.0/", "also": "0.1/", "else": "0.2/", "named": "6.0/",
		"end": "", "unbalanced": "", "still": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var cut []string
	for _, d := range documents(text, m.mask, m.cuts...) {
		cut = append(cut, d.source)
	}
	lines := strings.SplitAfter(text, "\n")
	if diff := cmp.Diff(lines, cut); diff != "" {
		t.Errorf("documents (-want +got)\n%s", diff)
	}
}
