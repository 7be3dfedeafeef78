// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
)

// The rule is added in the lines that begin with "+"; the others are the file before. Caught: the rule takes over the
// comment of the next one, or goes into the middle of a rule; its lists are indented in another way; the end of a line
// is lost.
func TestInsert(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"block lists", "a.yaml", `
			rules:
			# Events
			- apiGroups:
			  - ""
			  resources:
			  - events
			  verbs:
			  - create
			  # - delete
			+- apiGroups:
			+  - events.k8s.io
			+  resources:
			+  - events
			+  verbs:
			+  - create
			+  - patch

			# pods
			- apiGroups: [""]`},
		{"flow lists, another order, quotes", "a.yaml", `
			rules:
			  -   verbs: ['create']
			      apiGroups: ['']
			      resources: ['events']
			+  -   verbs: ['create', 'patch']
			+      apiGroups: ['events.k8s.io']
			+      resources: ['events']
			---
			kind: Service`},
		{"spaces in brackets", "a.yaml", `
			rules:
			- apiGroups: [ "" ]
			  resources: [ "events" ]
			  verbs: [ "create" ]
			+- apiGroups: [ "events.k8s.io" ]
			+  resources: [ "events" ]
			+  verbs: [ "create", "patch" ]`},
		{"an alias for a list", "a.yaml", `
			verbs: &verbs
			        - create
			rules:
			- apiGroups: [""]
			  resources: [events]
			  verbs: *verbs
			+- apiGroups: [events.k8s.io]
			+  resources: [events]
			+  verbs:
			+  - create
			+  - patch`},
		{"no list", "a.tpl", `
			rules:
			- apiGroups: [""]
			  resources: events
			  verbs: [create]
			+- apiGroups: [events.k8s.io]
			+  resources:
			+  - events
			+  verbs: [create, patch]`},
		{"a mapping in a line", "a.yaml", `
			rules:
			  - {apiGroups: [""], resources: [events], verbs: [create]}
			+  - {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
			subjects: []`},
		{"a dash in a line of its own, lists of more lines", "a.yaml", `
			rules:
			-
			  apiGroups: [
			    "",
			  ]
			  resources: [pods,
			    events]
			  verbs: ["*"]
			+- apiGroups: [events.k8s.io]
			+  resources: [events]
			+  verbs: [create, patch]`},
		{"two roles, and one that needs nothing", "a.yaml", `
			kind: List
			items:
			- rules:
			  - {apiGroups: [""], resources: [events], verbs: [create]}
			+  - {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
			- rules:
			  - {apiGroups: ["*"], resources: [events], verbs: [create, patch]}
			- rules:
			  - {apiGroups: [""], resources: [events], verbs: [patch]}
			+  - {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}`},
		{"an alias", "a.yaml", `
			one: &rules
			- {apiGroups: [""], resources: [events], verbs: [create]}
			+- {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
			two: {kind: Role, rules: *rules}
			three: {kind: Role, rules: *rules}`},
		{"a template", "a.yaml", `
			metadata:
			  name: {{ .Release.Name }}
			rules:
			{{- if .Values.events }}
			  - apiGroups: [""]
			    resources: [events]
			    verbs: [create]
			+  - apiGroups: [events.k8s.io]
			+    resources: [events]
			+    verbs: [create, patch]
			{{- end }}
			  - apiGroups: [apps]`},
		{"a template with an action in the rule", "a.yaml", `
			name: {{ .Release.Name }}
			rules:
			  - apiGroups: [""]
			    resources: [events]
			    verbs: {{ .Values.verbs }}`},
		{"a template with an action before a part of the rule", "a.yaml", `
			rules:
			  - apiGroups: [""]
			    resources: [events]
			{{- if .Values.events }}
			    verbs: [create]
			{{- end }}`},
		{"JSON", "a.json", `
			{"kind": "Role", "rules": [
			  {"apiGroups": [""], "resources": ["events"], "verbs": ["create"]}
			]}`},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			want := strings.ReplaceAll(strings.TrimPrefix(test.want, "\n")+"\n", "\t", "")
			var before []string
			for _, line := range strings.Split(want, "\n") {
				if !strings.HasPrefix(line, "+") {
					before = append(before, line)
				}
			}
			text := strings.Join(before, end)
			want = strings.ReplaceAll(strings.NewReplacer("\n+", "\n").Replace(want), "\n", end)
			file, err := manifest.Read(test.file, text)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			var roles []*manifest.Role
			for _, role := range file.Roles {
				if len(role.Writes()) > 0 && len(role.Lacks()) > 0 && role.Editable() {
					roles = append(roles, role)
				}
			}
			if diff := cmp.Diff(want, manifest.Insert(text, roles)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
			if found := lacking(t, test.file, want); len(roles) > 0 && found != nil {
				t.Errorf("%s: %q lack the rule afterwards", test.name, found)
			}
		}
	}
}
