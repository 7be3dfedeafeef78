// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
)

// settled reads the files of an archive, and returns what each role needs, with the file of what it is a copy of.
func settled(t *testing.T, archive string) (found []string) {
	t.Helper()
	var roles []*manifest.Role
	var bindings []manifest.Binding
	for _, one := range txtar.Parse([]byte(archive)).Files {
		file, err := manifest.Read(one.Name, string(one.Data))
		if err != nil {
			t.Fatal(err)
		}
		roles, bindings = append(roles, file.Roles...), append(bindings, file.Bindings...)
	}
	manifest.Bind(roles, bindings)
	manifest.Settle(roles)
	needs := map[manifest.Need]string{
		manifest.Nothing: "nothing", manifest.Complete: "complete", manifest.Election: "election", manifest.Covered: "covered",
		manifest.Copy: "copy", manifest.Made: "made", manifest.Rule: "rule",
	}
	for _, role := range roles {
		says := fmt.Sprintf("%s %s %s", role.File, role, needs[role.Need])
		if role.Source != nil {
			says += " of " + role.Source.File
		}
		found = append(found, says)
	}
	return found
}

// Caught: a release that is put together from parts is asked about, or the part is not; the role for leader election in a bundle,
// which has no name there, is taken for another one.
func TestSettle(t *testing.T) {
	const (
		events   = "{apiGroups: [\"\"], resources: [events], verbs: [create, patch]}"
		both     = "{apiGroups: [\"\", events.k8s.io], resources: [events], verbs: [create, patch]}"
		pods     = "{apiGroups: [\"\"], resources: [pods], verbs: [get]}"
		leases   = "{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update]}"
		role     = "kind: ClusterRole\nmetadata: {name: manager}\nrules:\n- " + events + "\n- " + pods + "\n"
		release  = "kind: Deployment\nmetadata: {name: a}\n---\nkind: ClusterRole\nmetadata: {name: a-manager}\nrules:\n- " + pods + "\n- " + events + "\n"
		election = "kind: Role\nmetadata: {name: leader-election-role}\nrules:\n- " + events + "\n- " + leases + "\n"
		bundle   = "kind: ClusterServiceVersion\nmetadata:\n  annotations:\n    %s: x\nspec:\n  install:\n    spec:\n" +
			"      clusterPermissions:\n      - serviceAccountName: a\n        rules:\n        - %s\n        - %s\n        - %s\n" +
			"      permissions:\n      - serviceAccountName: a\n        rules:\n        - %s\n        - %s\n"
		sdk = "operators.operatorframework.io/builder"
	)
	for _, test := range []struct {
		name, archive string
		want          []string
	}{
		{"a role", "-- a.yaml --\n" + role, []string{"a.yaml ClusterRole manager rule"}},
		{
			"a release of the role", "-- dist/all.yaml --\n" + release + "-- role.yaml --\n" + role,
			[]string{"dist/all.yaml ClusterRole a-manager copy of role.yaml", "role.yaml ClusterRole manager rule"},
		},
		{
			"a release to which a rule was added", "-- dist/all.yaml --\n" + release + "- " + leases + "\n-- role.yaml --\n" + role,
			[]string{"dist/all.yaml ClusterRole a-manager copy of role.yaml", "role.yaml ClusterRole manager rule"},
		},
		{
			"a release without a rule", "-- dist/all.yaml --\n" + release + "-- role.yaml --\n" + role + "- " + leases + "\n",
			[]string{"dist/all.yaml ClusterRole a-manager rule", "role.yaml ClusterRole manager rule"},
		},
		{
			"two releases", "-- a.yaml --\n" + release + "-- b.yaml --\n" + release,
			[]string{"a.yaml ClusterRole a-manager rule", "b.yaml ClusterRole a-manager rule"},
		},
		{
			"copies by hand", "-- a.yaml --\n" + role + "-- b.yaml --\n" + role,
			[]string{"a.yaml ClusterRole manager rule", "b.yaml ClusterRole manager rule"},
		},
		{
			"one that is generated", "-- a.yaml --\n# generated, do not edit\n" + role + "-- b.yaml --\n" + role,
			[]string{"a.yaml ClusterRole manager made", "b.yaml ClusterRole manager copy of a.yaml"},
		},
		{
			"a bundle of operator-sdk", "-- role.yaml --\n" + role + "---\n" + election +
				"-- bundle/a.yaml --\n" + fmt.Sprintf(bundle, sdk, events, pods, leases, events, leases),
			[]string{
				"role.yaml ClusterRole manager rule", "role.yaml Role leader-election-role election",
				"bundle/a.yaml ClusterRole a copy of role.yaml", "bundle/a.yaml Role a election",
			},
		},
		{
			"a bundle without the role", "-- bundle/a.yaml --\n" + fmt.Sprintf(bundle, sdk, events, pods, leases, events, leases),
			[]string{"bundle/a.yaml ClusterRole a made", "bundle/a.yaml Role a election"},
		},
		{
			"a template of a bundle", "-- a.yaml --\nspec:\n  install:\n    spec:\n      permissions:\n      - serviceAccountName: a\n        rules:\n" +
				"        - " + events + "\n        - " + leases + "\n      clusterPermissions:\n      - serviceAccountName: a\n        rules: #@ data.rules\n",
			[]string{"a.yaml Role a election", "a.yaml ClusterRole a nothing"},
		},
		{
			"a bundle by hand", "-- a.yaml --\n" + fmt.Sprintf(bundle, "by", events, pods, leases, events, pods),
			[]string{"a.yaml ClusterRole a rule", "a.yaml Role a rule"},
		},
		{
			"a bundle that has the rule", "-- a.yaml --\n" + fmt.Sprintf(bundle, "by", both, pods, leases, events, pods),
			[]string{"a.yaml ClusterRole a complete", "a.yaml Role a covered"},
		},
	} {
		if diff := cmp.Diff(test.want, settled(t, test.archive)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Caught: a role for leader election, or one of a namespace, hides that a program cannot fall back to core/v1; the markers
// count beside the role that is made of them.
func TestNewOnly(t *testing.T) {
	const (
		marker   = "package a\n\n//+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch\n\nfunc a() {}\n"
		newRule  = "rules: [{apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}]\n"
		coreRule = "rules: [{apiGroups: [\"\"], resources: [events], verbs: [create, patch]}]\n"
		role     = "kind: ClusterRole\nmetadata: {name: a}\n" + newRule
	)
	for _, test := range []struct {
		name, text, marker string
		want               []string
	}{
		{name: "alone", text: role, want: []string{"ClusterRole a"}},
		{name: "with core/v1", text: role + "---\nkind: ClusterRole\nmetadata: {name: b}\n" + coreRule},
		{
			name: "for leader election", text: role + "---\nkind: ClusterRole\nmetadata: {name: leader-election}\n" + coreRule,
			want: []string{"ClusterRole a"},
		},
		{name: "in a namespace", text: role + "---\nkind: Role\nmetadata: {name: b}\n" + coreRule, want: []string{"ClusterRole a"}},
		{name: "markers", text: role, marker: marker, want: []string{"ClusterRole a"}},
	} {
		file, err := manifest.Read("config/a.yaml", test.text)
		if err != nil {
			t.Fatal(err)
		}
		if markers := manifest.RoleOf(manifest.Markers("a.go", test.marker)); markers != nil {
			file.Roles = append(file.Roles, markers)
		}
		manifest.Settle(file.Roles)
		var got []string
		for _, role := range manifest.NewOnly(file.Roles) {
			got = append(got, role.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Caught: a role of something else that grants the same counts as made of the markers, although another file is the output of
// controller-gen; somebody is asked about a role whose holder gets the rule by that file.
func TestSettleWithMarkers(t *testing.T) {
	const (
		marker  = "package a\n\n//+kubebuilder:rbac:groups=\"\",resources=events,verbs=create;patch\n\nfunc a() {}\n"
		rules   = "rules: [{apiGroups: [\"\"], resources: [events], verbs: [create, patch]}]\n"
		holders = "---\nkind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: %s}\nsubjects: [{kind: ServiceAccount, name: %s}]\n"
	)
	made := "kind: ClusterRole\nmetadata: {name: made}\n" + rules + fmt.Sprintf(holders, "made", "a")
	other := "kind: ClusterRole\nmetadata: {name: other}\n" + rules
	for _, test := range []struct {
		name     string
		text     string
		extended bool
		want     manifest.Need // of the last role
	}{
		{name: "alone", text: other, want: manifest.Copy},
		{name: "beside the output", text: made + "---\n" + other, extended: true, want: manifest.Rule},
		{name: "with the holder", text: made + "---\n" + other + fmt.Sprintf(holders, "other", "a"), extended: true, want: manifest.Covered},
		{name: "with another holder", text: made + "---\n" + other + fmt.Sprintf(holders, "other", "b"), extended: true, want: manifest.Rule},
		{name: "with the holder, and markers that stay", text: made + "---\n" + other + fmt.Sprintf(holders, "other", "a"), want: manifest.Rule},
	} {
		file, err := manifest.Read("a.yaml", test.text)
		if err != nil {
			t.Fatal(err)
		}
		markers := manifest.RoleOf(manifest.Markers("a.go", marker))
		last := file.Roles[len(file.Roles)-1]
		if file.Roles[0] != last {
			file.Roles[0].Source, file.Roles[0].Extended = markers, test.extended
		}
		manifest.Bind(file.Roles, file.Bindings)
		manifest.Settle(append(file.Roles, markers))
		if last.Need != test.want {
			t.Errorf("%s: %s needs %d, want %d", test.name, last, last.Need, test.want)
		}
	}
}
