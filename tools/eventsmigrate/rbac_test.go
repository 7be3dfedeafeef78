// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// rendered is what helm template prints for a chart.
const rendered = `---
# Source: shop/templates/serviceaccount.yaml
apiVersion: v1
kind: ServiceAccount
metadata:
  name: shop
  namespace: prod
---
# Source: shop/templates/clusterrole.yaml
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: shop
rules:
# Events
- apiGroups: [""]
  resources: ["events"]
  verbs: ["create", "patch"]

# leader election
- apiGroups: ["coordination.k8s.io"]
  resources: ["leases"]
  verbs: ["get", "create", "update"]
---
# Source: shop/templates/clusterrole.yaml
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: shop
roleRef: {kind: ClusterRole, name: shop}
subjects:
- {kind: ServiceAccount, name: shop, namespace: prod}
---
apiVersion: v1
kind: List
items:
- kind: Role
  metadata: {name: shop-leader-election, namespace: prod}
  rules:
  - apiGroups: [""]
    resources: [events]
    verbs: [create]
- kind: RoleBinding
  metadata: {name: shop-leader-election, namespace: prod}
  roleRef: {kind: Role, name: shop-leader-election}
  subjects:
  - {kind: ServiceAccount, name: shop, namespace: prod}
- kind: Role
  metadata: {name: agent, namespace: prod}
  rules:
  - apiGroups: ["", events.k8s.io]
    resources: [events]
    verbs: [create, patch]
- kind: ClusterRole
  metadata:
    name: viewer
    labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}
  rules:
  - apiGroups: [""]
    resources: [events]
    verbs: [get, list]
- kind: ClusterRole
  metadata: {name: nobody has it}
  rules:
  - apiGroups: [""]
    resources: [events]
    verbs: [get, list]
`

const note = `
Notes:
  for the release, or for the maintainer of the chart: this release writes Events through events.k8s.io/v1, so ClusterRole ` +
	`shop needs the rule {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]} beside the one for core/v1. ` +
	`A recorder needs both verbs, because it creates an Event at the first occurrence and patches the Event at each repeat. ` +
	`Keep the rule for core/v1, because leader election records through core/v1, and so do the Pods of earlier releases
`

// says is the report about the roles in a file, with the title of what is to do.
func says(file, title string) string {
	const text = `1 of 2 roles that may write Events needs a rule for events.k8s.io

RBAC that TITLE:
  FILE:16: ClusterRole shop (granted to ServiceAccount prod/shop; from shop/templates/clusterrole.yaml) may create and patch ` +
		`Events of core/v1, and may not create or patch those of events.k8s.io. It grants leases, too. ` +
		`Keep the rule for core/v1, because leader election records through core/v1

RBAC that stays as it is:
  FILE:40: Role prod/shop-leader-election (granted to ServiceAccount prod/shop) is for leader election, which records through ` +
		`core/v1. It stays as it is
  FILE:51: Role prod/agent may create and patch Events of core/v1, and may create and patch those of events.k8s.io
  FILE:59: ClusterRole viewer (granted to ClusterRole view) may get and list Events of core/v1, and may not those of ` +
		`events.k8s.io. Both APIs return the same Events, so this is enough, unless the component reads events.k8s.io. ` +
		`Then it needs the rule {apiGroups: [events.k8s.io], resources: [events], verbs: [get, list, watch]}
` + note
	return strings.NewReplacer("FILE", file, "TITLE", title).Replace(text)
}

func TestRolesOfStandardInput(t *testing.T) {
	for _, args := range [][]string{{"rbac", "-"}, {"rbac"}, {"rbac", "-fix"}} {
		got := pipeTo(t, rendered, args...)
		if diff := cmp.Diff(tool{somethingLeft, says("-", "needs a human"), ""}, got, cmp.AllowUnexported(tool{})); diff != "" {
			t.Errorf("%v (-want +got):\n%s", args, diff)
		}
	}
}

// Caught: the diff is not one that git applies; -fix leaves a role out, or changes one that has the rule.
func TestRolesOfFiles(t *testing.T) {
	const patch = `--- a/all.yaml
+++ b/all.yaml
@@ -16,6 +16,9 @@
 - apiGroups: [""]
   resources: ["events"]
   verbs: ["create", "patch"]
+- apiGroups: ["events.k8s.io"]
+  resources: ["events"]
+  verbs: ["create", "patch"]
 
 # leader election
 - apiGroups: ["coordination.k8s.io"]
`
	dir := inModule(t, "-- all.yaml --\n"+rendered)
	got := runTool(t, "rbac", "all.yaml")
	want := says("all.yaml", "changes") + "\nFiles to change: 1. -diff shows how, -fix writes.\n"
	if diff := cmp.Diff(tool{somethingLeft, want, ""}, got, cmp.AllowUnexported(tool{})); diff != "" {
		t.Errorf("rbac (-want +got):\n%s", diff)
	}
	got = runTool(t, "rbac", "-diff", "all.yaml")
	if diff := cmp.Diff(tool{somethingLeft, patch, want}, got, cmp.AllowUnexported(tool{})); diff != "" {
		t.Errorf("rbac -diff (-want +got):\n%s", diff)
	}
	var document report.Report
	if err := json.Unmarshal([]byte(runTool(t, "rbac", "-json", "-diff", ".").stdout), &document); err != nil || document.Diff != patch ||
		len(document.Manifests) != 4 {
		t.Errorf("rbac -json: %v, %+v", err, document)
	}
	if got := runTool(t, "rbac", "-fix", "."); got.code != nothingLeft || !strings.HasSuffix(got.stdout, "\nFiles written: 1.\n") {
		t.Errorf("rbac -fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	fixed := moduletest.Read(t, dir, "all.yaml")
	inModule(t, "-- all.yaml --\n"+rendered)
	applyPatch(t, ".", patch)
	if diff := cmp.Diff(fixed, moduletest.Read(t, "all.yaml")); diff != "" {
		t.Errorf("the diff gives something else than -fix (-fix +diff):\n%s", diff)
	}
	const verdict = "0 of 2 roles that may write Events need a rule for events.k8s.io\n"
	if got := runTool(t, "rbac", "all.yaml"); got.code != nothingLeft || !strings.HasPrefix(got.stdout, verdict) {
		t.Errorf("a second run = %d, want %q\n%s%s", got.code, verdict, got.stdout, got.stderr)
	}
}

func TestRolesOfOneDirectory(t *testing.T) {
	const role = "kind: Role\nmetadata: {name: a}\nrules:\n- {apiGroups: [\"\"], resources: [events], verbs: [create]}\n"
	const code = `package a

var rules = []PolicyRule{{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}}}
`
	for _, test := range []struct {
		name, archive, want string
		code                int
	}{
		{
			"a role", "-- role.yaml --\n" + role,
			"role.yaml:4: Role a may create Events of core/v1, and may not create or patch those of events.k8s.io\n", nothingLeft,
		},
		{
			"Go code", "-- role.go --\n" + code,
			"role.go:3: var rules may create and patch Events of core/v1, and may not create or patch", somethingLeft,
		},
		{
			// Caught: somebody copies a rule by hand, although the place for it is certain.
			"Go code with a place for the rule", "-- role.go --\n" + strings.NewReplacer("{{", "{\n\t{", "}}\n", "},\n}\n").Replace(code),
			"role.go:4: var rules may create and patch Events of core/v1, and may not create or patch", nothingLeft,
		},
		{
			"a string of Go code", "-- role.go --\npackage a\n\nconst role = `" + role + "`\n",
			"role.go:6: Role a may create Events of core/v1, and may not create or patch", somethingLeft,
		},
		{
			"a template with a place for the rule", "-- a/role.yaml --\nname: {{ include \"a\" . }}\n" + role,
			"a/role.yaml:5: Role a may create Events of core/v1", nothingLeft,
		},
		{
			// Caught: a group that a template fills in is taken for events.k8s.io, and the check passes.
			"a template that fills in the group", "-- a/role.yaml --\nname: {{ include \"a\" . }}\n" +
				strings.NewReplacer(`""`, `{{ .Values.group }}`, "create", "create, patch").Replace(role),
			"a/role.yaml:5: Role a may create and patch Events of core/v1, and may not create or patch those",
			somethingLeft,
		},
		{
			// Caught: a role that forbids the repeats of an Event is in no line of the report.
			"events.k8s.io alone, without patch",
			"-- role.yaml --\n" + strings.NewReplacer(`""`, "events.k8s.io").Replace(role),
			"role.yaml:4: Role a may not write Events of core/v1, and may not patch those of events.k8s.io\n", nothingLeft,
		},
		{
			// Caught: a panic.
			"no list", "-- a/role.yaml --\nname: {{ include \"a\" . }}\n" +
				strings.NewReplacer("{apiGroups: [\"\"], resources: [events], verbs: [create]}",
					"apiGroups: [\"\"]\n  resources: events\n  verbs: [create]").Replace(role),
			"a/role.yaml:5: Role a may create Events of core/v1", nothingLeft,
		},
		{
			"a template without one", "-- a/role.yaml --\nname: {{ include \"a\" . }}\n" + strings.Replace(role, "create", `{{ .Values.verb }}`, 1),
			"a/role.yaml:5: Role a may create and patch Events of core/v1", somethingLeft,
		},
		{
			"beside a file that is no YAML, and others' manifests", "-- a.yaml --\n}\n-- vendor/a.yaml --\n" + role + "-- role.yaml --\n" + role,
			"  role.yaml:4: Role a may create Events", nothingLeft,
		},
		{
			// Caught: the role gets the rule for what nothing records.
			"for leader election", "-- role.yaml --\n" + role + "-- election.yaml --\n" + strings.Replace(role, "name: a", "name: a-leader-election", 1),
			"election.yaml:4: Role a-leader-election is for leader election, which records through core/v1. It stays as it is\n", nothingLeft,
		},
	} {
		inModule(t, test.archive)
		before := tree(t, ".")
		got := runTool(t, "rbac", "-fix", ".")
		if got.code != test.code || !strings.Contains(got.stdout, test.want) || !strings.HasPrefix(got.stdout, "1 of ") {
			t.Errorf("%s: rbac -fix = %d, want %d and %q\n%s%s", test.name, got.code, test.code, test.want, got.stdout, got.stderr)
		}
		if edited := !cmp.Equal(before, tree(t, ".")); edited != (test.code == nothingLeft) {
			t.Errorf("%s: edited: %v\n%s", test.name, edited, got.stdout)
		}
	}
}

// Caught: the next run of a generator undoes the edit, and nothing says so.
func TestGeneratedRolesAreNotEdited(t *testing.T) {
	const generated = "# Generated by a script. Do not edit.\n"
	for _, test := range []struct {
		name, archive, want string
		code                int
	}{
		{
			name: "by controller-gen", archive: withSDK + controller, code: somethingLeft,
			want: "config/rbac/role.yaml:6: ClusterRole manager-role may create and patch Events of core/v1, and may not create or patch " +
				"those of events.k8s.io. controller-gen makes it of kubebuilder markers, so it is not edited: run eventsmigrate ./..., " +
				"which edits both, or change the marker (recording/recording.go:8) and run controller-gen\n",
		},
		{
			name: "as the file says", archive: "-- role.yaml --\n" + generated + manager, code: somethingLeft,
			want: "those of events.k8s.io. It is generated, as its file says, and is not edited: add the rule where it comes from\n",
		},
		{
			name: "by hand, beside markers", archive: withSDK + controller + "-- config/rbac/role.yaml --\n" + manager,
			want: "Files written: 1.\n",
		},
	} {
		inModule(t, test.archive)
		before := tree(t, ".")
		got := runTool(t, "rbac", "-fix", ".")
		if got.code != test.code || !strings.Contains(got.stdout, test.want) {
			t.Errorf("%s: rbac -fix = %d, want %d and %q\n%s%s", test.name, got.code, test.code, test.want, got.stdout, got.stderr)
		}
		if edited := !cmp.Equal(before, tree(t, ".")); edited != (test.code == nothingLeft) {
			t.Errorf("%s: edited: %v\n%s", test.name, edited, got.stdout)
		}
	}
}

func TestRolesCannotBeRead(t *testing.T) {
	for _, test := range []struct{ name, archive, stdin, file, want string }{
		{
			// Caught: the chart cannot be rendered, and the check passes.
			"nothing", "", " \n", "-", "standard input: it is empty: nothing was rendered",
		},
		{"a template", "", "name: {{ .Release.Name }}\n", "-", "standard input: it is a template: pass what helm template makes of it"},
		{"no YAML", "", "}\n", "-", "standard input: yaml: "},
		{"a file with nothing", "-- a.yaml --\n\n", "", "a.yaml", "a.yaml: it is empty: nothing was rendered"},
		{"no file", "", "", "nosuch.yaml", "nosuch.yaml: no such file"},
		{"a file that is no YAML", "-- a.yaml --\n}\n", "", "a.yaml", "a.yaml: yaml: "},
		// Caught: no manifest is there, and the check passes.
		{"a directory without manifests", "-- a.txt --\n", "", ".", ". has no manifest that can be read"},
	} {
		inModule(t, "-- README --\n"+test.archive)
		got := pipeTo(t, test.stdin, "rbac", test.file)
		if got.code != couldNotRun || !strings.Contains(got.stderr, test.want) || got.stdout != "" {
			t.Errorf("%s = %d, want %d and %q\n%s%s", test.name, got.code, couldNotRun, test.want, got.stdout, got.stderr)
		}
	}
	inModule(t, "-- role.yaml --\n"+rendered)
	if err := os.Symlink("role.yaml", "link.yaml"); err != nil {
		t.Fatal(err)
	}
	// Caught: a link has no roles, and the check passes.
	if got := runTool(t, "rbac", "link.yaml"); got.code != somethingLeft || !strings.HasPrefix(got.stdout, says("role.yaml", "changes")) {
		t.Errorf("rbac of a link = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	// Caught: a role cannot be parsed, and the check passes.
	for name, archive := range map[string]string{
		"a.yaml": "-- a.yaml --\nkind: Role\n{% if x %}\n-- b.yaml --\nkind: Pod\n",
		"a.go":   "-- a.go --\npackage a\n\nvar rules = []rbacv1.PolicyRule{\n-- b.yaml --\nkind: Pod\n",
	} {
		inModule(t, archive)
		if got := runTool(t, "rbac", "."); got.code != somethingLeft ||
			!strings.HasPrefix(got.stdout, "no role that can be read may write Events\n") ||
			!strings.Contains(got.stdout, name+":1: this file has a role, and cannot be parsed: look at its rules yourself: ") {
			t.Errorf("rbac of what cannot be parsed = %d\n%s%s", got.code, got.stdout, got.stderr)
		}
	}
	if got := pipeTo(t, "kind: Service\n", "rbac"); got != (tool{nothingLeft, "no role here may write Events\n", ""}) {
		t.Errorf("manifests without roles: %+v", got)
	}
}
