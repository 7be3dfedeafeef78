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

// Caught: what a template fills in is taken for nothing; a mapping in one line is not read; a rule that another role has counts.
func TestGrants(t *testing.T) {
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
		"a template":      {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: {{ .Values.verbs }}\n", true},
		"an action":       {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs:\n{{- if .x }}\n  - patch\n{{- end }}\n", true},
		"the other group": {"- apiGroups: [apps]\n  resources: [events]\n  verbs: [create]\n", false},
		"the rule is there": {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n" +
			"- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create, patch]\n", false},
		"the rule lacks a verb": {"- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n" +
			"- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create]\n", true},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			if grants := manifest.Grants("role.yaml", strings.Replace(role, "name: a", "name: a:leader-election", 1)+test.rules); len(grants) > 0 {
				t.Errorf("%s, for leader election: %+v", name, grants)
			}
			grants := manifest.Grants("role.yaml", strings.ReplaceAll(role+test.rules+other, "\n", end))
			if got := len(grants) == 1 && grants[0].Line == 5 && grants[0].Role == "a"; got != test.want || len(grants) > 1 {
				t.Errorf("%s: %+v, want %v", name, grants, test.want)
			}
		}
	}
}

// Caught: a rule of another function counts; a comment hides a rule; the line is that of the declaration.
func TestGrantsOfCode(t *testing.T) {
	const (
		core = "\t\t{\n\t\t\t// pods and events\n\t\t\tAPIGroups: []string{\n\t\t\t\t\"\",\n\t\t\t},\n" +
			"\t\t\tResources: []string{\"events\"},\n\t\t\tVerbs:     []string{\"create\", \"patch\"},\n\t\t},\n"
		other = "\t\t{APIGroups: []string{\"events.k8s.io\"}, Resources: []string{\"events\"}, Verbs: []string{\"*\"}},\n"
		urls  = "\t\t{NonResourceURLs: []string{\"/metrics\"}, Verbs: []string{\"get\"}},\n"
		read  = "\t\t{APIGroups: []string{\"\"}, Resources: []string{\"events\"}, Verbs: []string{\"get\"}},\n"
	)
	role := func(name, rules string) string {
		return "func " + name + "() []rbacv1.PolicyRule {\n\treturn []rbacv1.PolicyRule{\n" + rules + "\t}\n}\n"
	}
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"alone", role("a", core), []string{"3 func a"}},
		{"after others", role("a", urls+read+core), []string{"5 func a"}},
		{"the rule is there", role("a", core+other), nil},
		{"the rule is in another function", role("a", core) + role("b", other), []string{"3 func a"}},
		{"behind another function", role("b", other) + role("a", core), []string{"8 func a"}},
		{"two roles", role("a", core) + role("b", core), []string{"3 func a", "15 func b"}},
		{"for reading", role("a", urls+read), nil},
		{"for leader election", role("leaderElection", core), nil},
		{"of a method", strings.Replace(role("a", core), "func ", "func (b *c) ", 1), []string{"3 func (b *c) a"}},
	} {
		var got []string
		for _, grant := range manifest.Grants("role.go", test.text) {
			got = append(got, fmt.Sprint(grant.Line, " ", grant.Role))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
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
