// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
)

func everything(string) bool { return true }

func TestMarkers(t *testing.T) {
	for _, test := range []struct{ name, marker, want string }{
		{
			"events alone", `// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch`,
			`// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create;patch`,
		},
		{
			"core, without a space", `//+kubebuilder:rbac:groups=core,resources=events,verbs=patch;create;update`,
			`//+kubebuilder:rbac:groups=core;events.k8s.io,resources=events,verbs=patch;create;update`,
		},
		{
			"a role of its own", `// +kubebuilder:rbac:groups="",namespace=here,resources=events,verbs=*`,
			`// +kubebuilder:rbac:groups="";events.k8s.io,namespace=here,resources=events,verbs=*`,
		},
		{
			// Caught: create alone is extended, and the repeats of an Event are forbidden.
			"without patch", `// +kubebuilder:rbac:groups="",resources=events,verbs=create;get;list`,
			`// +kubebuilder:rbac:groups="",resources=events,verbs=create;get;list` + "\n" +
				`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch`,
		},
		{
			"both groups without patch", `// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create`,
			`// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create` + "\n" +
				`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch`,
		},
		{
			"the new group without patch", `// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create`,
			`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create` + "\n" +
				`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch`,
		},
		{"the new group for reading", `// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=get`, ""},
		{
			// Caught: pods of events.k8s.io are granted.
			"events and pods", `// +kubebuilder:rbac:groups="",resources=pods;events,verbs=get;create,namespace=here`,
			`// +kubebuilder:rbac:groups="",resources=pods;events,verbs=get;create,namespace=here` + "\n" +
				`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch,namespace=here`,
		},
		{"for reading", `// +kubebuilder:rbac:groups="",resources=events,verbs=get;list`, ""},
		{"for one name", `// +kubebuilder:rbac:groups="",resources=events,resourceNames=a,verbs=create`, ""},
		{"both groups", `// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create;patch`, ""},
		{
			"another marker does it", `// +kubebuilder:rbac:groups="",resources=events,verbs=create` + "\n" +
				`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch`, "",
		},
		{
			"two other markers do it", `// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create` + "\n" +
				`// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=patch`, "",
		},
		{"documentation of a declaration", `// +kubebuilder:rbac:groups="",resources=events,verbs=create` + "\ntype a int", ""},
		{"code that does not parse", `// +kubebuilder:rbac:groups="",resources=events,verbs=create` + "\n\nfunc {", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "package a\n\n" + test.marker + "\n\nfunc b() {}\n"
			want := text
			if test.want != "" {
				want = strings.Replace(text, test.marker, test.want, 1)
			}
			markers := manifest.Markers("a.go", text)
			after, changed := manifest.Extended(markers, everything)
			var edits []manifest.Marker
			for _, i := range changed {
				edits = append(edits, after[i])
			}
			if diff := cmp.Diff(want, manifest.Edit(text, edits)); diff != "" {
				t.Errorf("edited (-want +got):\n%s", diff)
			}
			_, changed = manifest.Extended(manifest.Markers("a.go", want), everything)
			if len(changed) > 0 {
				t.Errorf("a second run changes %d markers", len(changed))
			}
			if _, changed := manifest.Extended(markers, func(string) bool { return false }); len(changed) > 0 {
				t.Errorf("%d markers of code that does not record change", len(changed))
			}
		})
	}
}

// lacking returns the line and the name of each role that may write Events of core/v1 and lacks a verb for events.k8s.io.
func lacking(t *testing.T, name, text string) (found []string) {
	t.Helper()
	file, err := manifest.Read(name, text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	manifest.Settle(file.Roles)
	for _, role := range file.Roles {
		if role.Need == manifest.Rule && len(role.Writes()) > 0 {
			found = append(found, fmt.Sprint(role.Line, " ", role))
		}
	}
	return found
}

// Caught: what a template fills in is taken for nothing; a mapping in one line is not read; a rule that another role has counts.
func TestRead(t *testing.T) {
	const (
		role  = "kind: Role\nmetadata:\n  name: a\nrules:\n"
		other = "---\nkind: Role\nrules:\n- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create, patch]\n"
	)
	for name, test := range map[string]struct {
		rules string
		want  bool
	}{
		"flow lists":      {"  - apiGroups: [\"\"]\n    resources: [\"events\"] # why\n    verbs: [\"create\"]\n", true},
		"block lists":     {"- apiGroups:\n    - ''\n  resources:\n    - pods\n    - events\n  verbs:\n    - '*'\n", true},
		"for reading":     {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [get]\n", false},
		"one mapping":     {"- {apiGroups: [\"\"], resources: [events], verbs: [create]}\n", true},
		"a merge":         {"- <<: &base {apiGroups: [\"\"], resources: [events]}\n  verbs: [create]\n", true},
		"a template":      {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: {{ .Values.verbs }}\n", true},
		"an action":       {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs:\n{{- if .x }}\n  - patch\n{{- end }}\n", true},
		"the other group": {"- apiGroups: [apps]\n  resources: [events]\n  verbs: [create]\n", false},
		"the rule is there": {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n" +
			"- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create, patch]\n", false},
		"the rule lacks a verb": {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n" +
			"- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create]\n", true},
		"the rule is in two": {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n" +
			"- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create]\n" +
			"- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [patch]\n", false},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			if found := lacking(t, "role.yaml", strings.Replace(role, "name: a", "name: a:leader-election", 1)+test.rules); found != nil {
				t.Errorf("%s, for leader election: %q", name, found)
			}
			var want []string
			if test.want {
				want = []string{"5 Role a"}
			}
			got := lacking(t, "role.yaml", strings.ReplaceAll(role+test.rules+other, "\n", end))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// Caught: an object in a list, or a role with two documents before it, is not found; the definitions of a file are one role.
func TestReadFormats(t *testing.T) {
	const rule = "- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n"
	indented := "    " + strings.TrimSuffix(strings.ReplaceAll(rule, "\n", "\n    "), "    ")
	for name, test := range map[string]struct {
		file, text string
		want       []string
	}{
		"a list": {
			"a.yaml", "kind: List\nitems:\n- kind: ConfigMap\n- kind: ClusterRole\n  metadata: {name: a, namespace: b}\n  rules:\n" + indented,
			[]string{"7 ClusterRole b/a"},
		},
		"JSON": {
			"a", `{"kind": "Role", "metadata": {"name": "a"}, "rules": [` + "\n" +
				`{"apiGroups": [""], "resources": ["events"], "verbs": ["create"]}]}`, []string{"2 Role a"},
		},
		"documents":   {"a.yaml", "---\n---\nkind: ConfigMap\n---\nkind: Role\nrules:\n" + rule, []string{"7 Role (no name)"}},
		"an alias":    {"a.yaml", "a: &a\n" + rule + "b:\n  kind: Role\n  rules: *a\n", []string{"2 Role (no name)"}},
		"no manifest": {"a.yaml", "rules: 3\nverbs: [create]\n---\nfoo\n", nil},
		"of a ClusterServiceVersion": {
			"a.yaml", "spec:\n  clusterPermissions:\n  - serviceAccountName: a\n    rules:\n" + indented, []string{"5 ClusterRole a"},
		},
		"a definition": {
			"a.tpl", "{{- define \"a\" -}}\n" + rule + "{{- end }}\n{{ define \"b\" }}\n" + rule + "- apiGroups: [\"*\"]\n" +
				"  resources: [events]\n  verbs: [\"*\"]\n{{ end }}\n", []string{"2 a"},
		},
		"jsonnet": {
			"a.libsonnet", "{\n  clusterRole: {\n    rules: [\n      { apiGroups: ['apps'], resources: ['events'], verbs: ['*'] },\n" +
				"      {\n        // Events\n        apiGroups: [''],\n        resources: ['events'],\n        verbs: ['create', 'patch'],\n" +
				"      },\n    ],\n  },\n  agentRole: { rules+: [{ apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['*'] }] },\n}\n",
			[]string{"5 clusterRole"},
		},
	} {
		if diff := cmp.Diff(test.want, lacking(t, test.file, test.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if file, err := manifest.Read("a.yaml", "a: [\n"); err == nil {
		t.Errorf("YAML that does not parse is %+v", file)
	}
}

// Caught: a comment of a template hides the value before it, or its words are values, or the lines behind it are other ones.
func TestCommentsOfTemplates(t *testing.T) {
	const text = "{{/*\nverbs: [create]\n*/}}\n{{- define \"a\" -}}\n- apiGroups:\n  - \"\" {{/* not \"apps\" */}}\n" +
		"  - events.k8s.io {{- /* the new one */ -}}\n  resources: [events]\n  verbs: [create, patch]\n{{- end }}\n"
	file, err := manifest.Read("a.tpl", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, role := range file.Roles {
		got = append(got, fmt.Sprint(role.Line, " ", role, " ", role.Writes(), role.Lacks()))
	}
	if diff := cmp.Diff([]string{"5 a [create patch] []"}, got); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

// Caught: a role of which the values make a ClusterRole is taken for one of a namespace.
func TestKindOfTemplate(t *testing.T) {
	const rest = "metadata:\n  name: a\nrules:\n- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n---\n"
	file, err := manifest.Read("a.tpl", "kind: ClusterRole\n"+rest+"{{- if .all }}\nkind: ClusterRole\n{{- else }}\nkind: Role\n{{- end }}\n"+rest+
		"kind: Role\n"+rest)
	if err != nil {
		t.Fatal(err)
	}
	var got []bool
	for _, role := range file.Roles {
		got = append(got, role.OfNamespace())
	}
	if diff := cmp.Diff([]bool{false, false, true}, got); diff != "" {
		t.Errorf("of a namespace (-want +got):\n%s", diff)
	}
}

// Caught: a binding of another namespace counts; nobody has a role that another one aggregates.
func TestBind(t *testing.T) {
	file, err := manifest.Read("a.yaml", `
{kind: Role, metadata: {name: a, namespace: one}, rules: [{verbs: [get]}]}
---
{kind: Role, metadata: {name: a, namespace: two}, rules: [{verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: a}, rules: [{verbs: [get]}]}
---
{kind: RoleBinding, metadata: {name: a, namespace: one}, roleRef: {kind: Role, name: a},
  subjects: [{kind: ServiceAccount, name: a, namespace: three}, {kind: Group, name: g}]}
---
{kind: RoleBinding, metadata: {name: b, namespace: two}, roleRef: {kind: ClusterRole, name: a}, subjects: [{kind: User, name: u}]}
---
{kind: ClusterRole, metadata: {name: part, labels: {to: b, rbac.authorization.k8s.io/aggregate-to-edit: "true"}}, rules: [{verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: other, labels: {to: c}}, rules: [{verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: b}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: b}}]}, rules: []}
---
{kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {kind: ClusterRole, name: b}, subjects: [{kind: User, name: v}]}
`)
	if err != nil {
		t.Fatal(err)
	}
	manifest.Bind(file.Roles, file.Bindings)
	got := map[string][]string{}
	for _, role := range file.Roles {
		got[role.String()] = role.Holders
	}
	want := map[string][]string{
		"Role one/a":        {"Group g", "ServiceAccount three/a"},
		"Role two/a":        nil,
		"ClusterRole a":     {"User u"},
		"ClusterRole part":  {"ClusterRole b", "ClusterRole edit", "User v"},
		"ClusterRole other": nil,
		"ClusterRole b":     {"User v"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("holders (-want +got):\n%s", diff)
	}
}

// Caught: a role with one rule more than the markers is made anew; its order is not that of controller-gen.
func TestRegenerated(t *testing.T) {
	text := `// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
// +kubebuilder:rbac:groups="",resources=pods,verbs=get
`
	before := manifest.Markers("a.go", "package a\n\n"+text+"\nfunc a() {}\n")
	after, _ := manifest.Extended(before, everything)
	const (
		head   = "kind: ClusterRole\nmetadata:\n  name: a\nrules:\n"
		events = "- apiGroups:\n  - \"\"\n  resources:\n  - events\n  verbs:\n  - create\n  - patch\n"
		pods   = "- apiGroups:\n  - \"\"\n  resources:\n  - pods\n  verbs:\n  - get\n"
	)
	both := strings.Replace(events, "\"\"\n", "\"\"\n  - events.k8s.io\n", 1)
	for _, test := range []struct{ name, role, want string }{
		{"alone", head + events + pods, head + pods + both},
		{"before another", head + events + pods + "---\nkind: Role\n", head + pods + both + "---\nkind: Role\n"},
		{"in another order", head + pods + events, head + pods + events},
		{"in a release", head + events + pods + "---\nkind: Deployment\n", head + events + pods + "---\nkind: Deployment\n"},
		{"with another rule", head + events + pods + pods, head + events + pods + pods},
	} {
		if diff := cmp.Diff(test.want, manifest.Regenerated(test.role, before, after)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
