// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

// kubebuilder is a program with the Makefile of kubebuilder.
const kubebuilder = withSDK + controller + `-- main.go --
package main

import "example.com/m/user"

func main() { user.Use(nil, nil) }
-- Makefile --
manifests: render
	$(CONTROLLER_GEN) rbac:roleName=manager-role paths="./..."

render:
	kustomize build config/default > config/render/all.yaml
`

// manager is a role with the rules of that of kubebuilder before the run.
const manager = `kind: ClusterRole
metadata:
  name: manager-role
rules:
- apiGroups: [""]
  resources: [events]
  verbs: [patch, create]
`

// Caught: somebody is asked to edit a file that is generated; a role of something else that is alike is taken for a copy.
func TestGeneratedRolesAreNoQuestion(t *testing.T) {
	const head = "# auto generated from config/rbac/role.yaml -- do not edit\n"
	for _, test := range []struct{ name, archive, note string }{
		{
			name: "rendered", archive: "-- config/render/all.yaml --\n" + strings.Replace(manager, "manager", "shop-manager", 1),
			note: "ClusterRole shop-manager-role in config/render/all.yaml:5 is a copy of the role in config/rbac/role.yaml, which " +
				"changes: run what makes this file, such as make manifests",
		},
		{
			name: "a template that is generated", archive: "-- chart/templates/role.yaml --\n{{- if .Values.rbac }}\n" + head +
				strings.NewReplacer("manager-role", `{{ printf "%s-%s" .Name "manager-role" }}`, "[patch, create]", "\n    - patch\n    - create").
					Replace(manager) + "{{- end }}\n",
			note: "is a copy of the role in config/rbac/role.yaml, which changes: run what makes this file, such as make manifests",
		},
		{
			name: "a template that fills in the kind and the name",
			archive: "-- chart/templates/role.yaml --\n" + strings.NewReplacer(
				"ClusterRole", `{{ include "kind" . }}`,
				"manager-role", `{{ include "fullname" . }}-role`,
			).Replace(manager),
			note: "is a copy of the role in config/rbac/role.yaml, which changes: run what makes this file, such as make manifests",
		},
		{
			name:    "generated from something else",
			archive: "-- deploy/role.yaml --\n" + head + strings.Replace(manager, "[patch, create]", "['*']", 1),
			note:    "ClusterRole manager-role in deploy/role.yaml:6 is generated, as its file says",
		},
		{name: "of another program", archive: "-- deploy/role.yaml --\n" + strings.Replace(manager, "manager", "agent", 1)},
		{
			name:    "with another rule",
			archive: "-- deploy/role.yaml --\n" + manager + "- {apiGroups: [\"\"], resources: [pods], verbs: [get]}\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, kubebuilder+test.archive)
			got := runTool(t, "-fix")
			if asks := strings.Contains(got.stdout, "RBAC that needs a human"); asks != (test.note == "") {
				t.Errorf("-fix asks: %v\n%s%s", asks, got.stdout, got.stderr)
			}
			if !strings.Contains(got.stdout, test.note) {
				t.Errorf("-fix = %d, want %q\n%s%s", got.code, test.note, got.stdout, got.stderr)
			}
		})
	}
}

// Caught: somebody is asked to edit six roles that a script and kustomize make of the markers, since a verb is added, the kind
// is another one, or the file has more; the target is named for each; a role that grants something else is taken for one.
func TestRolesMadeOfMarkers(t *testing.T) {
	base := strings.Replace(kubebuilder[:strings.Index(kubebuilder, "-- config/rbac/role.yaml --")]+
		kubebuilder[strings.Index(kubebuilder, "-- main.go --"):],
		"verbs=create;patch", "verbs=create;patch\n// +kubebuilder:rbac:groups=\"\",resources=pods,verbs=get", 1)
	const pods = "- {apiGroups: [\"\"], resources: [pods], verbs: [get, watch]}\n"
	role := manager + pods
	for _, test := range []struct {
		name, archive string
		want          []string
	}{
		{
			name: "made", archive: "-- config/rbac/cluster.yaml --\n" + role + "-- config/render/all.yaml --\nkind: Namespace\n---\n" +
				strings.Replace(role, "ClusterRole", "Role", 1),
			want: []string{"  ClusterRole manager-role in config/rbac/cluster.yaml:5 and Role manager-role in config/render/all.yaml:7 are each " +
				"made of the kubebuilder markers, which change: run what makes these files, such as make manifests\n"},
		},
		{
			name: "something else", archive: "-- config/rbac/cluster.yaml --\n" + strings.Replace(role, "pods", "nodes", 1),
			want: []string{"RBAC that needs a human", "no YAML file is the output of controller-gen"},
		},
		{
			name: "something more", archive: "-- config/rbac/cluster.yaml --\n" + role + strings.Replace(pods, "pods", "nodes", 1),
			want: []string{"RBAC that needs a human", "no YAML file is the output of controller-gen"},
		},
		{
			name: "a verb less", archive: "-- config/rbac/cluster.yaml --\n" + strings.Replace(role, "get", "list", 1),
			want: []string{"RBAC that needs a human", "no YAML file is the output of controller-gen"},
		},
		{
			name: "copies of a generated role",
			archive: "-- deploy/role.yaml --\n# generated, do not edit\n" + manager +
				"-- deploy/all.yaml --\n" + manager + "-- deploy/other.yaml --\n" + manager,
			want: []string{
				"  ClusterRole manager-role in deploy/all.yaml:5 and ClusterRole manager-role in deploy/other.yaml:5 are each a copy of the " +
					"role in deploy/role.yaml, which is generated, and may not create and patch",
				"no YAML file is the output of controller-gen",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, base+test.archive)
			got := runTool(t, "-fix")
			for _, says := range append(test.want, "RBAC that needs a human", "no YAML file is the output of controller-gen") {
				if strings.Contains(got.stdout, says) != slices.Contains(test.want, says) {
					t.Errorf("-fix says %q, want %v\n%s%s", says, test.want, got.stdout, got.stderr)
				}
			}
		})
	}
}

// Caught: somebody is asked about a role whose holder gets the rule by the role that controller-gen makes.
func TestRoleBesideOneThatIsMade(t *testing.T) {
	old := strings.Replace(manager, "manager", "old", 1) + "- {apiGroups: [\"\"], resources: [pods], verbs: [get]}\n"
	binding := bound("ClusterRole", "ClusterRole", "manager-role", "shop")
	for _, test := range []struct {
		holder string
		asks   bool
	}{{holder: "shop"}, {holder: "agent", asks: true}} {
		inModule(t, kubebuilder+"-- config/rbac/binding.yaml --\n"+binding+
			"-- releases/old.yaml --\n"+old+bound("ClusterRole", "ClusterRole", "old-role", test.holder))
		got := runTool(t)
		if asks := strings.Contains(got.stdout, "RBAC that needs a human"); asks != test.asks {
			t.Errorf("%s: run asks: %v\n%s%s", test.holder, asks, got.stdout, got.stderr)
		}
	}
}

// Caught: somebody looks for a target that does not exist, because nothing makes roles of the markers.
func TestMarkersThatNothingReads(t *testing.T) {
	const makes = "-- Makefile --\nrole:\n\tcontroller-gen rbac:roleName=x paths=./...\n"
	base := kubebuilder[:strings.Index(kubebuilder, "-- config/rbac/role.yaml --")] +
		kubebuilder[strings.Index(kubebuilder, "-- main.go --"):strings.Index(kubebuilder, "-- Makefile --")]
	const says = "kubebuilder markers changed, and no YAML file is the output of controller-gen for them: "
	for makefile, want := range map[string]string{
		"":    says + "if nothing else makes roles of them, they grant nothing\n",
		makes: says + "run make role\n",
	} {
		inModule(t, base+makefile)
		if got := runTool(t); !strings.Contains(got.stdout, want) {
			t.Errorf("run with %q = %d, want %q\n%s%s", makefile, got.code, want, got.stdout, got.stderr)
		}
	}
}

// bound gives a role to somebody, in all namespaces or in its own.
func bound(kind, role, name, subject string) string {
	return "---\nkind: " + kind + "Binding\nroleRef:\n  kind: " + role + "\n  name: " + name +
		"\nsubjects:\n- kind: ServiceAccount\n  name: " + subject + "\n"
}

// Caught: a role is listed although whoever has it may do so by another role, or although it is that of somebody else in an
// example; one that is needed in another namespace is not listed.
func TestRolesThatNeedNoRule(t *testing.T) {
	role := strings.Replace(manager, "Cluster", "", 1) + bound("Role", "Role", "manager-role", "shop")
	second := strings.NewReplacer(`""`, "events.k8s.io", "manager-role", "second").Replace(manager)
	everywhere := "---\n" + second + bound("ClusterRole", "ClusterRole", "second", "shop")
	inOther := strings.NewReplacer(
		"ClusterRole\nmetadata:\n", "Role\nmetadata:\n  namespace: other\n",
		"Binding\n", "Binding\nmetadata: {namespace: other}\n",
	)
	inTemplate := strings.NewReplacer(
		"name: manager-role", `name: {{ include "name" . }}`,
		"name: shop", `name: {{ include "name" . }}`,
		"name: second", `name: {{ include "name" . }}-second`,
	)
	for _, test := range []struct {
		name, archive string
		asks          bool
	}{
		{name: "by another role", archive: "-- deploy/role.yaml --\n" + role + everywhere},
		{name: "by another role, in templates", archive: "-- chart/templates/role.yaml --\n" + inTemplate.Replace(role+everywhere)},
		{
			name: "by another role, in the templates of another chart", asks: true,
			archive: "-- a/templates/role.yaml --\n" + inTemplate.Replace(role) +
				"-- b/templates/role.yaml --\n" + inTemplate.Replace(everywhere),
		},
		{
			name: "by a role of somebody else", asks: true,
			archive: "-- deploy/role.yaml --\n" + role + strings.ReplaceAll(everywhere, "shop", "agent"),
		},
		{
			name: "in another namespace", asks: true,
			archive: "-- deploy/role.yaml --\n" + role + "---\n" + inOther.Replace(second+bound("Role", "Role", "second", "shop")),
		},
		{name: "of somebody else in an example", archive: "-- examples/role.yaml --\n" + role},
		{
			name: "of the project in an example", asks: true,
			archive: "-- examples/role.yaml --\n" + role + "-- deploy/role.yaml --\n" +
				strings.NewReplacer("patch", "get", "create", "list").Replace(everywhere),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, withSDK+program+worker+test.archive)
			got := runTool(t, "-fix")
			if asks := strings.Contains(got.stdout, "RBAC that needs a human"); asks != test.asks {
				t.Errorf("-fix asks: %v, want %v\n%s%s", asks, test.asks, got.stdout, got.stderr)
			}
		})
	}
}

// Caught: no role of a project is listed, because the project is in a directory of examples.
func TestProjectInDirectoryOfExamples(t *testing.T) {
	dir := inModule(t, strings.ReplaceAll("\n"+withSDK+program+worker+"-- deploy/role.yaml --\n"+manager, "\n-- ", "\n-- examples/op/"))
	t.Chdir(filepath.Join(dir, "examples", "op"))
	if got := runTool(t); !strings.Contains(got.stdout, "RBAC that changes:\n  deploy/role.yaml:5: ClusterRole manager-role is the only") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: nothing is said of the only roles of a library, because its programs that record are examples, too.
func TestRolesOfProgramsThatAreExamples(t *testing.T) {
	inModule(t, withSDK+strings.ReplaceAll(program, "-- main.go --", "-- example/shop/main.go --")+worker+
		"-- example/shop/role.yaml --\n"+manager)
	got := runTool(t)
	if !strings.Contains(got.stdout, "RBAC that changes:\n  example/shop/role.yaml:5: ClusterRole manager-role is the only") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: the report has the rule although every role has it, or says nothing where there is no role; it promises a fallback to
// an API that the role forbids.
func TestRuleIsNamedIfItIsLeft(t *testing.T) {
	const noRole = "the role by which . records is not in this repository, or cannot write Events so far; whoever makes it must add the rule {"
	const noFallback = "ClusterRole manager-role in role.yaml:5 may write Events of events.k8s.io and not those of core/v1: who has it " +
		"cannot fall back to core/v1, and cannot be rolled back to a release that records through core/v1"
	const base = withSDK + program + worker
	for _, test := range []struct {
		name, archive string
		want          []string
	}{
		{name: "the run adds it", archive: kubebuilder},
		{
			name:    "the role has it",
			archive: base + "-- role.yaml --\n" + strings.Replace(manager, `""`, `"", events.k8s.io`, 1),
		},
		{name: "no role", archive: base, want: []string{noRole, "no role here may write Events: "}},
		{
			name: "nothing else", want: []string{noFallback},
			archive: base + "-- role.yaml --\n" + strings.Replace(manager, `""`, "events.k8s.io", 1),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, test.archive)
			got := runTool(t, "-fix")
			for _, note := range append(test.want, noRole, noFallback, "RBAC that needs a human") {
				if says := strings.Contains(got.stdout, note); says != slices.Contains(test.want, note) {
					t.Errorf("-fix says %q: %v\n%s%s", note, says, got.stdout, got.stderr)
				}
			}
			if strings.Contains(got.stdout, "{apiGroups:") != slices.Contains(test.want, noRole) {
				t.Errorf("-fix has the rule:\n%s%s", got.stdout, got.stderr)
			}
		})
	}
}

// Caught: roles of other components are a question, although the program has its own by name; a role that has the name of the
// program, too, is none.
func TestRolesOfOtherComponents(t *testing.T) {
	base := strings.ReplaceAll(withSDK+program+worker, "-- main.go --", "-- cmd/shop-operator/main.go --")
	served := strings.NewReplacer(`""`, `"", events.k8s.io`, "manager-role", "system:shop-operator").Replace(manager)
	const others = "ClusterRole manager-role in deploy/role.yaml:13 may write Events, and may not create and patch those of " +
		"events.k8s.io. By the names, it is not of the programs that record (cmd/shop-operator), whose roles beside may do so\n"
	for _, test := range []struct {
		name, roles string
		asks        bool
	}{
		{name: "of another component", roles: served + "---\n" + manager},
		{name: "of the program, too", roles: served + "---\n" + strings.Replace(manager, "manager", "shop-operator", 1), asks: true},
		{name: "in a directory of its own", roles: manager + "-- config/role.yaml --\n" + served, asks: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, base+"-- deploy/role.yaml --\n"+test.roles)
			got := runTool(t)
			if asks := strings.Contains(got.stdout, "RBAC that needs a human"); asks != test.asks {
				t.Errorf("run asks: %v, want %v\n%s%s", asks, test.asks, got.stdout, got.stderr)
			}
			if notes := strings.Contains(got.stdout, others); notes == test.asks {
				t.Errorf("run notes: %v\n%s%s", notes, got.stdout, got.stderr)
			}
		})
	}
}

// Caught: somebody is asked about the only role of the only program; a role is edited although it may be that of something else, or
// although the rule has no certain place.
func TestOnlyRoleIsEdited(t *testing.T) {
	const election = "---\nkind: Role\nmetadata: {name: leader-election}\nrules:\n- {apiGroups: [\"\"], resources: [events], verbs: [create, patch]}\n"
	const added = "- apiGroups: [events.k8s.io]\n  resources: [events]\n  verbs: [create, patch]\n"
	const code = "package a\n\ntype PolicyRule struct{ APIGroups, Resources, Verbs []string }\n\nvar rules = []PolicyRule{\n" +
		"\t{APIGroups: []string{\"\"}, Resources: []string{\"events\"}, Verbs: []string{\"create\", \"patch\"}},\n"
	second := strings.ReplaceAll(worker+program, "-- main.go --", "-- cmd/second/main.go --")
	second = second[strings.Index(second, "-- cmd/second"):]
	for _, test := range []struct {
		name, archive string
		file, want    string // the text, if it is edited
		says          string
	}{
		{
			name: "YAML", archive: "-- deploy/role.yaml --\n" + manager + election, file: "deploy/role.yaml", want: manager + added + election,
			says: "deploy/role.yaml:5: ClusterRole manager-role is the only role that may write Events, and gets the rule {",
		},
		{
			name: "a template", archive: "-- chart/templates/role.yaml --\n{{- if .Values.rbac }}\n" + manager + "{{- end }}\n",
			file: "chart/templates/role.yaml", want: "{{- if .Values.rbac }}\n" + manager + added + "{{- end }}\n",
			says: "chart/templates/role.yaml:6: ClusterRole manager-role is the only role that may write Events, and gets the rule {",
		},
		{
			name: "Go code", archive: "-- a/a.go --\n" + code + "}\n", file: "a/a.go",
			want: code + "\t" + manifest.NewRuleInGo + ",\n}\n",
			says: "a/a.go:6: var rules is the only role that may write Events, and gets the rule {",
		},
		{
			name: "a copy in a release", file: "deploy/role.yaml", want: manager + added,
			archive: "-- deploy/role.yaml --\n" + manager + "-- dist/install.yaml --\nkind: Deployment\nmetadata: {name: shop}\n---\n" +
				strings.Replace(manager, "manager", "shop-manager", 1) + "-- Makefile --\nbuild-installer:\n\tkustomize build deploy > dist/install.yaml\n",
			says: "ClusterRole shop-manager-role in dist/install.yaml:8 is a copy of the role in deploy/role.yaml, which changes: run what " +
				"makes this file, such as make build-installer\n",
		},
		{
			name: "two programs", archive: "-- deploy/role.yaml --\n" + manager + second,
			says: "Which belong to the programs that record (. and cmd/second)?",
		},
		{
			name: "a copy in a release, two programs", archive: "-- deploy/role.yaml --\n" + manager +
				"-- dist/install.yaml --\nkind: Deployment\nmetadata: {name: shop}\n---\n" + manager + second,
			says: "ClusterRole manager-role in dist/install.yaml:8 is a copy of the role in deploy/role.yaml: if that gets the rule, run " +
				"what makes this file, or add the rule if nothing does\n",
		},
		{
			name: "Go code, two programs", archive: "-- a/a.go --\n" + code + "}\n" + second,
			says: "a/a.go:6: 1 role (1 in Go code) may write Events, and may not create and patch those of events.k8s.io: var rules in " +
				"a/a.go:6. Which belong to the programs that record (. and cmd/second)? Add the rule " + manifest.NewRuleInGo + " to them. ",
		},
		{
			name: "another role that has the rule",
			archive: "-- deploy/role.yaml --\n" + manager + "-- config/role.yaml --\n" +
				strings.NewReplacer(`""`, `"", events.k8s.io`, "manager", "agent").Replace(manager),
			says: "deploy/role.yaml:5: 1 role (1 in YAML) may write Events",
		},
		{
			name: "no place for the rule", archive: "-- a/role.libsonnet --\n{ role: { rules: [{ apiGroups: [''], resources: ['events'], verbs: ['*'] }] } }\n",
			says: "a/role.libsonnet:1: 1 role (1 in jsonnet) may write Events",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := inModule(t, withSDK+program+worker+test.archive)
			got := runTool(t, "-fix")
			if !strings.Contains(got.stdout, test.says) {
				t.Errorf("-fix = %d, want %q\n%s%s", got.code, test.says, got.stdout, got.stderr)
			}
			if asks := strings.Contains(got.stdout, "RBAC that needs a human"); asks != (test.file == "") {
				t.Errorf("-fix asks: %v\n%s%s", asks, got.stdout, got.stderr)
			}
			if test.file == "" {
				return
			}
			if diff := cmp.Diff(test.want, moduletest.Read(t, dir, test.file)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.file, diff)
			}
			if got := runTool(t, "-fix"); !strings.Contains(got.stdout, "nothing to do") && strings.Contains(got.stdout, "RBAC") {
				t.Errorf("a second -fix = %d\n%s%s", got.code, got.stdout, got.stderr)
			}
		})
	}
}

// Caught: the program gets a Role in its own namespace, and its Events about a Node, or about a kind of its own without a namespace,
// are refused; a kind that has one is named, or a kind of a program that does not record.
func TestEventsOfClusterScopedObjects(t *testing.T) {
	const marked = `-- shop/shop.go --
package shop

import corev1 "k8s.io/api/core/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=sh,scope=Cluster

// Shop has a sentence.
type Shop struct{ corev1.Pod }

// +kubebuilder:resource:scope=Namespaced
type Till struct{ corev1.Pod }
-- worker/shop.go --
package worker

import (
	"example.com/m/shop"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func Sell(r record.EventRecorder, s *shop.Shop, t *shop.Till, n *corev1.Node) {
	r.Event(t, corev1.EventTypeNormal, "Sold", "sold")
`
	const shop, node = "\tr.Event(s, corev1.EventTypeNormal, \"Sold\", \"sold\")\n", "\tr.Event(n, corev1.EventTypeNormal, \"Sold\", \"sold\")\n"
	const says = "these kinds have no namespace, so their Events are written to the namespace default, and no role here may do so ("
	inNamespace := strings.Replace(manager, "Cluster", "", 1)
	for _, test := range []struct{ name, code, role, want string }{
		{name: "both", code: shop + node, role: inNamespace, want: "  Node and Shop: " + says + "Role manager-role in role.yaml:5)"},
		{name: "with a namespace", role: inNamespace},
		{name: "a ClusterRole", code: shop, role: manager},
		{name: "in default", code: shop, role: strings.Replace(inNamespace, "metadata:\n", "metadata:\n  namespace: default\n", 1)},
		{name: "beside a ClusterRole", code: shop, role: inNamespace + "---\n" + manager},
		{
			name: "beside a ClusterRole for leader election", code: shop, want: "  Shop: " + says,
			role: inNamespace + "---\n" + strings.Replace(manager, "manager", "leader-election", 1),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, withSDK+program+worker+marked+test.code+"}\n-- role.yaml --\n"+test.role)
			got := runTool(t)
			if noted := strings.Contains(got.stdout, says); noted != (test.want != "") || !strings.Contains(got.stdout, test.want) {
				t.Errorf("run notes: %v, want %q\n%s%s", noted, test.want, got.stdout, got.stderr)
			}
		})
	}
}
