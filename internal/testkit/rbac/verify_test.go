// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"os"
	"strings"
	"testing"
)

// operator is laid out as kubebuilder does it: markers, a generated role, one by hand for leader election.
func operator(t *testing.T, options Options) *Manifests {
	t.Helper()
	m, err := Read(os.DirFS("testdata/operator"), options)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestVerifyOperator(t *testing.T) {
	account := Options{Account: Account{"shop-system", "shop-controller-manager"}}
	leases := Access{Group: "", Namespace: "shop-system"}
	for name, options := range map[string]Options{
		"anybody": {}, "its account": account, "its overlay": {Overlay: "config/default"},
	} {
		if got := operator(t, options).Verify([]Access{v1Everywhere, v1InShop, leases}); len(got) > 0 {
			t.Errorf("%s: %s", name, strings.Join(got, "\n"))
		}
	}
	got := strings.Join(operator(t, account).Verify([]Access{{Group: ""}}), "\n")
	want := `permission to record Events is missing in kustomization config/default:
  create and patch events of core/v1 in all namespaces
    ClusterRole manager-role (config/rbac/role.yaml:2) grants create and patch on events of events.k8s.io, which is another API group
    Role leader-election-role (config/rbac/leader_election_role.yaml:2) grants it in namespace "shop-system" only, ` +
		`through RoleBinding leader-election-rolebinding (config/rbac/leader_election_role_binding.yaml:1)
  ClusterRole manager-role (config/rbac/role.yaml:2) is made of markers:
  add, and run controller-gen again:
    // +kubebuilder:rbac:groups="",resources=events,verbs=create;patch
permission to record Events is missing in kubebuilder markers:
  create and patch events of core/v1 in all namespaces
    the marker at internal/controller/web_controller.go:12 grants create and patch on events of events.k8s.io, which is another API group
  add, and run controller-gen again:
    // +kubebuilder:rbac:groups="",resources=events,verbs=create;patch`
	if got != want {
		t.Errorf("got\n%s\n\nwant\n%s", got, want)
	}
	got = strings.Join(operator(t, Options{Account: Account{"shop-system", "other"}}).Verify([]Access{v1Everywhere}),
		"\n")
	contains(t, got,
		"ClusterRole manager-role (config/rbac/role.yaml:2) grants it, to ServiceAccount shop-system/shop-controller-manager",
		"\n  add:\n    apiVersion: rbac.authorization.k8s.io/v1\n    kind: ClusterRole\n",
		"\n    - apiGroups:\n      - events.k8s.io\n      resources:\n      - events\n      verbs:\n      - create\n      - patch\n",
		"\n    kind: ClusterRoleBinding\n", "\n    - kind: ServiceAccount\n      name: other\n      namespace: shop-system")
}

// Nothing to complain of.
// Caught: a component taken for a source; files in testdata and hidden directories read.
func TestVerified(t *testing.T) {
	v1, core := rule(eventsGroup, "create", "patch"), rule("", "create", "patch")
	for _, r := range []struct {
		name, text string
		needs      []Access
	}{
		{"a rule per verb", "-- a.yaml --\n" + role("", "a", rule(eventsGroup, "create"), rule(eventsGroup, "patch")),
			nil},
		{"in two roles", "-- a.yaml --\n" + role("shop", "a", v1) + "-- b.json --\n" +
			`{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "b", "namespace": "shop"}, ` +
			`"rules": [{"apiGroups": [""], "resources": ["events"], "verbs": ["*"]}]}`, []Access{v1InShop, coreInShop}},
		{"wildcards", "-- a.yml --\n" + role("", "a", "- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}\n"), nil},
		{"markers alone",
			"-- a.go --\npackage a\n// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch\n",
			nil},
		{"a base of another base",
			"-- top/kustomization.yaml --\nresources: [../mid]\n-- mid/Kustomization --\nresources: [../low]\n" +
				"-- low/kustomization.yml --\nnamespace: shop\nresources: [a.yaml]\n-- low/a.yaml --\n" + role("bank",
				"a",
				v1, core),
			[]Access{v1InShop, coreInShop}},
		{"examples of what is wrong", "-- a.yaml --\n" + role("", "a", v1) + "-- testdata/a.yaml --\n" + api +
			"kind: Role\nrules: 1\n" +
			"-- .hidden/k/kustomization.yaml --\na: b: c\n-- vendor/a.yaml --\n" + api + "kind: Role\nrules: 1\n", nil},
		{"a kustomization without RBAC", "-- a.yaml --\n" + role("", "a", v1) +
			"-- samples/kustomization.yaml --\nresources: [web.yaml]\n-- samples/web.yaml --\nkind: Web\n", nil},
		{"another tool's kustomization.yaml", "-- a.yaml --\n" + role("", "a", v1) +
			"-- flux/kustomization.yaml --\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nresources: {}\n", nil},
		{"a component is no source", "-- a.yaml --\n" + role("", "a", v1) +
			"-- c/kustomization.yaml --\nkind: Component\n" +
			"resources: [b.yaml]\n-- c/b.yaml --\n" + api + "kind: Role\nrules: 1\n", nil},
		{"what an overlay makes of a base is what counts",
			"-- all/kustomization.yaml --\nresources: [../base, more.yaml]\n" +
				"-- all/more.yaml --\n" + role("", "b", v1) +
				"-- base/kustomization.yaml --\nresources: [a.yaml]\n-- base/a.yaml --\n" +
				role("", "a"), nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			needs := r.needs
			if needs == nil {
				needs = []Access{v1Everywhere}
			}
			if got := verify(t, r.text, Options{}, needs...); got != "" {
				t.Error(got)
			}
		})
	}
}

// Each is a way in which a migration to events.k8s.io went wrong, or could.
// Caught: a patch of any name taken for one that resourceNames can list; a rule added to a role of another namespace.
func TestProblems(t *testing.T) {
	v1, core := rule(eventsGroup, "create", "patch"), rule("", "create", "patch")
	account := Options{Account: Account{"shop", "worker"}}
	toWorker := func(namespace, kind, name string) string { return bind(namespace, "b", kind, name, "shop/worker") }
	for _, r := range []struct {
		name, text string
		options    Options
		need       Access
		want       []string
	}{
		{"the old group only", role("", "a", core), Options{}, v1Everywhere, []string{
			"missing in manifests:\n  create and patch events of events.k8s.io in all namespaces\n",
			"ClusterRole a (a.yaml:2) grants create and patch on events of core/v1, which is another API group\n",
			"  add to the rules of ClusterRole a (a.yaml:2):\n    - apiGroups: [\"events.k8s.io\"]\n" +
				"      resources: [\"events\"]\n      verbs: [\"create\", \"patch\"]",
		}},
		{"the new group only", role("", "a", v1), Options{}, coreInShop, []string{
			"create and patch events of core/v1 in namespace \"shop\"\n",
			"grants create and patch on events of events.k8s.io, which is another API group\n", `- apiGroups: [""]`,
		}},
		{"no patch", role("", "a", rule(eventsGroup, "create")), Options{}, v1Everywhere, []string{
			"\n  patch events of events.k8s.io", "grants create only, and a repeat is a patch\n", `verbs: ["patch"]`,
		}},
		{"no create", role("", "a", rule(eventsGroup, "patch")), Options{}, v1Everywhere, []string{
			"\n  create events of", "grants patch only\n", `verbs: ["create"]`,
		}},
		{"names", role("", "a", "- {apiGroups: ['*'], resources: [events], resourceNames: [x, ''], verbs: ['*']}\n"),
			Options{},
			v1Everywhere, []string{"patch events",
				"lists resourceNames, and the names of Events are made at run time\n"}},
		{"a subresource", role("", "a", "- {apiGroups: ['*'], resources: [events/status], verbs: ['*']}\n"), Options{},
			v1Everywhere, []string{"create and patch events", "add to the rules of ClusterRole a"}},
		{"bound in a namespace", role("", "a", v1) + toWorker("shop", "ClusterRole", "a"), Options{}, v1Everywhere,
			[]string{
				`ClusterRole a (a.yaml:2) grants it in namespace "shop" only, through RoleBinding b (a.yaml:8)`,
				"\n  add:\n", "kind: ClusterRole\n", "kind: ClusterRoleBinding\n",
				"name: worker\n      namespace: shop",
			}},
		{"another namespace", role("bank", "a", v1), Options{}, v1InShop, []string{
			`Role a (a.yaml:2) grants it in namespace "bank" only` + "\n",
			"  add:\n", "kind: Role\n", "namespace: shop", "kind: RoleBinding\n", "REPLACE-WITH-ITS-NAME",
		}},
		{"nothing bound to it", role("", "a", v1) + role("", "c") + toWorker("", "ClusterRole", "c"), Options{},
			v1Everywhere,
			[]string{"ClusterRole a (a.yaml:2) grants it, and nothing binds it\n"}},
		{"bound to another", role("", "a", v1) + bind("", "b", "ClusterRole", "a", "shop/other"), account, v1Everywhere,
			[]string{"ClusterRole a (a.yaml:2) grants it, to ServiceAccount shop/other\n"}},
		{"bound to nobody's namespace", role("", "a", v1) + bind("", "b", "ClusterRole", "a", "''/worker"), account,
			v1Everywhere,
			[]string{"grants it, to ServiceAccount worker without a namespace, which a server refuses\n"}},
		{"the account is unknown", role("", "a") + bind("", "b", "ClusterRole", "a", "shop/other"), account,
			v1Everywhere,
			[]string{"nothing is bound to ServiceAccount shop/worker, but to ServiceAccount shop/other\n", "add:\n"}},
		{"a role that is not here", toWorker("", "ClusterRole", "a"), account, v1Everywhere,
			[]string{"ClusterRoleBinding b (a.yaml:2) binds ClusterRole a, which is not here\n"}},
		{"a rule to the role that is bound here", role("", "x", "- {}\n- {}\n") + role("shop", "z", "- {}\n") +
			toWorker("", "ClusterRole", "x") + bind("shop", "c", "Role", "z", "shop/worker"), account, v1InShop,
			[]string{"add to the rules of Role z (a.yaml:9):\n"}},
		{"a rule to the largest role", role("", "x", "- {}\n") + role("", "z", "- {}\n- {}\n"), Options{}, v1Everywhere,
			[]string{"add to the rules of ClusterRole z (a.yaml:8):\n"}},
		{"no rule to a role that is a sum", api + "kind: ClusterRole\nmetadata: {name: sum}\n" +
			"aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}\n---\n" +
			api + "kind: ClusterRole\nmetadata: {name: part, labels: {part: 'yes'}}\nrules: [{}]\n" +
			toWorker("", "ClusterRole", "sum"), Options{}, v1Everywhere, []string{"\n  add:\n", "kind: ClusterRole\n"}},
		{"a rule to the role about Events", role("", "x", "- {}\n- {}\n") + role("", "z", core), Options{},
			v1Everywhere,
			[]string{"add to the rules of ClusterRole z (a.yaml:9):\n"}},
		{"a template beside", "\n-- b.yaml --\n{{ if }}\n" + role("", "t") + "-- a.yaml --\n" + role("", "a"),
			Options{}, v1Everywhere,
			[]string{"\n  not read:\n    b.yaml is a template: render it"}},
		{"broken", api + "kind: Role\nrules: 1\n", Options{}, v1Everywhere,
			[]string{"manifests: a.yaml:1: Role : rules: number in place of a list"}},
	} {
		t.Run(r.name, func(t *testing.T) {
			contains(t, verify(t, "-- a.yaml --\n"+r.text, r.options, r.need)+"\n", r.want...)
		})
	}
}

// A cluster has roles of its own, and what they allow is not known here.
func TestRolesOfTheClusterAreNotMissed(t *testing.T) {
	got := verify(t, "-- a.yaml --\n"+role("", "a")+bind("", "b", "ClusterRole", "system:auth-delegator",
		"shop/worker"),
		Options{}, v1Everywhere)
	if strings.Contains(got, "not here") {
		t.Error(got)
	}
}

// Caught: rules of one overlay taken for those of another.
func TestSourcesAreJudgedOneByOne(t *testing.T) {
	got := verify(t, `
-- east/kustomization.yaml --
resources: [../base, role.yaml]
-- east/role.yaml --
`+role("", "more", rule(eventsGroup, "create", "patch"))+`
-- west/kustomization.yaml --
resources: [../base]
-- base/kustomization.yaml --
resources: [role.yaml, https://example.com/role.yaml]
-- base/role.yaml --
`+role("", "a"), Options{}, v1Everywhere)
	contains(t, got, "missing in kustomization west:\n",
		"not read:\n    base/kustomization.yaml: https://example.com/role.yaml is elsewhere")
	if strings.Contains(got, "east") {
		t.Error(got)
	}
}

// Caught: an overlay without RBAC that nobody complained of (found by FuzzRead).
func TestNoRBACAtAll(t *testing.T) {
	overlay := verify(t, "-- k/kustomization.yaml --\nresources: []\n", Options{Overlay: "k"}, v1Everywhere)
	contains(t, overlay, "missing in kustomization k:\n", "add:\n", "kind: ClusterRoleBinding\n")
	got := verify(t,
		"-- go.mod --\nmodule m\n-- a.go --\npackage a\n-- deploy.yaml --\nkind: Deployment\n-- charts/role.yaml --\n{{ if }}\n"+
			role("", "t"), Options{}, v1InShop, coreInShop)
	contains(t, got,
		"no RBAC found in 3 files: kustomizations, manifests (*.yaml, *.yml, *.json) and kubebuilder markers (*.go) are read\n",
		"not read:\n    charts/role.yaml is a template", "  add:\n", "kind: Role\n", "apiGroups:\n      - events.k8s.io\n      - \"\"")
}

// Caught: a role taken for the generated one by a part of its markers, or by those of another role.
func TestMarkersAndTheirManifests(t *testing.T) {
	const webs = "- {apiGroups: [example.com], resources: [webs], verbs: [get, list]}\n"
	const websMarker = "// +kubebuilder:rbac:groups=example.com,resources=webs,verbs=get;list\n"
	const eventsMarker = "// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch\n"
	v1, core := rule(eventsGroup, "create", "patch"), rule("", "create", "patch")
	bound := bind("", "b", "ClusterRole", "manager-role", "shop/a")
	byHand := role("shop", "leader", core) + bind("shop", "b", "Role", "leader", "shop/a")
	for _, r := range []struct {
		name, markers, manifests string
		want                     []string
	}{
		{"both", websMarker + eventsMarker, role("", "manager-role", webs, v1) + bound + byHand, nil},
		{"the marker is new", websMarker + eventsMarker, role("", "manager-role", webs) + bound + byHand,
			[]string{"missing in manifests", "the marker at a/a.go:3 grants it: run controller-gen again"}},
		{"the rule would be gone when the role is made again", websMarker, role("", "manager-role", webs, v1) + bound +
			byHand,
			[]string{"missing in kubebuilder markers", "add, and run controller-gen again:\n    " +
				eventsMarker[:len(eventsMarker)-1]}},
		{"the old marker", websMarker + strings.ReplaceAll(eventsMarker, eventsGroup, "core"), role("", "manager-role",
			webs, core) + bound + byHand,
			[]string{"ClusterRole manager-role (r.yaml:2) is made of markers:\n", "missing in kubebuilder markers",
				"the marker at a/a.go:3 grants create and patch on events of core/v1, which is another API group"}},
		{"nothing for leader election", websMarker + eventsMarker, role("", "manager-role", webs, v1) + bound,
			[]string{"missing in manifests", "missing in kubebuilder markers",
				"add, run controller-gen again, and bind the Role that it makes:\n    " +
					`// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch,namespace=shop`}},
		{"a Role by hand that has the marker's rule, too", websMarker + eventsMarker,
			role("", "manager-role", webs, v1) + bound + role("shop", "leader", webs, v1, core) +
				bind("shop", "b", "Role", "leader", "shop/a"), nil},
		{"a ClusterRole by hand that has one marker's rule", websMarker + eventsMarker,
			role("", "manager-role", webs, v1) + bound + role("", "more", webs, core) +
				bind("", "c", "ClusterRole", "more", "shop/a"), nil},
		{"another role than the marker's", strings.ReplaceAll(websMarker, "list", "list,roleName=webs-role"),
			role("", "manager-role", webs, v1) + bound + byHand, nil},
		{"a marker that cannot be read", "// +kubebuilder:rbac:groups=a\n", role("", "a", v1, core),
			[]string{"kubebuilder markers: a/a.go:2: marker +kubebuilder:rbac:groups=a: no verbs"}},
		{"another program's", websMarker + eventsMarker +
			"-- b/go.mod --\nmodule b\n-- b/b.go --\npackage b\n// +kubebuilder:rbac:groups=a\n" +
			"-- c/c_test.go --\npackage c\n// +kubebuilder:rbac:groups=a\n", role("", "manager-role", webs, v1) +
			bound + byHand,
			nil},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := verify(t, "-- go.mod --\nmodule a\n-- a/a.go --\npackage a\n"+r.markers+"-- r.yaml --\n"+r.manifests,
				Options{}, v1Everywhere, coreInShop)
			if r.want == nil && got != "" {
				t.Error(got)
			}
			contains(t, got, r.want...)
		})
	}
}
