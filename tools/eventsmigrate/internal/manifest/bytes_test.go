// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const roleHead = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules:\n"

// What an archive of text cannot show: line ends, marks, and files without a last line end. Each text is Before, with
// what is inserted between two ¦.
// Caught: a "\n" in a file of "\r\n"; an insertion glued to a last line without an end; bytes counted as characters in
// front of a rule; a line end that only YAML knows.
func TestBytes(t *testing.T) {
	const rule = "- apiGroups: [\"\"]\n  resources: [events, pods]\n  verbs: [create, patch]\n"
	const added = "- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create, patch]\n"
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for name, r := range map[string]struct{ file, text string }{
		"crlf": {"r.yaml", crlf(roleHead + rule + "¦" + added + "¦# end\n")},
		"crlf, extended": {"r.yaml",
			crlf(roleHead + "- apiGroups:\n  - ''\n¦  - events.k8s.io\n¦  resources: [events]\n  verbs: ['*']")},
		"no last line end": {"r.yaml",
			roleHead + strings.TrimSuffix(rule, "\n") + "¦\n" + strings.TrimSuffix(added, "\n") + "¦"},
		"block without a last line end": {"r.yaml",
			roleHead + "- verbs: [create, patch]\n  resources: [events]\n  apiGroups:\n  - ''¦\n  - events.k8s.io¦"},
		"a document that ends": {"r.yaml", "a: b\n...\n" + roleHead + rule + "¦" + added + "¦..."},
		"a key of dashes": {"r.yaml",
			strings.Replace(roleHead, "rules", "---a: b\nrules", 1) + rule + "¦" + added + "¦"},
		"byte order mark": {"r.yaml", "\ufeff" + roleHead + rule + "¦" + added + "¦"},
		"byte order mark in the line": {"r.yaml", "\ufeff" + `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, ` +
			"rules: [{apiGroups: [''¦, events.k8s.io¦], resources: [events], verbs: ['*']}]}\n"},
		"characters of many bytes": {"r.yaml",
			roleHead + "- {resources: [events], x: é😀, apiGroups: [''¦, events.k8s.io¦], verbs: ['*']}\n"},
		"YAML's line ends": {"r.yaml", "# a\u0085# b\u2028# c\u2029" + roleHead + rule + "¦" + added + "¦"},
		"tabs in JSON": {"r.json",
			`{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "rules": [` +
				"\n\t{\"apiGroups\": [\n\t\t\"\"¦,\n\t\t\"events.k8s.io\"¦\n\t], " +
				`"resources": ["events"], "verbs": ["*"]}` + "\n]}"},
		"marker, crlf": {"m.go",
			crlf("package m\n\n//+kubebuilder:rbac:groups=core,resources=events,verbs=create\n" +
				"¦//+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch\n¦\nvar x int\n")},
		"marker without a last line end": {"m.go",
			"package m\n\n//+kubebuilder:rbac:groups=core,resources=events,verbs=create" +
				"¦\n//+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch¦"},
		"marker behind a line directive": {"m.go",
			"package m\n\n//line other.go:100\n\n//+kubebuilder:rbac:groups=core,resources=events,verbs=create\n" +
				"¦//+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch\n¦"},
	} {
		t.Run(name, func(t *testing.T) {
			parts := strings.Split(r.text, "¦")
			files := fstest.MapFS{r.file: {Data: []byte(parts[0] + parts[2])}}
			got := plan(t, files, Facts{})
			if len(got.Edits) != 1 {
				t.Fatalf("%d edits, want 1:\n%s", len(got.Edits), findings(got))
			}
			if diff := cmp.Diff(strings.Join(parts, ""), string(got.Edits[0].After)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sound(t, files, Facts{}, got)
		})
	}
}
