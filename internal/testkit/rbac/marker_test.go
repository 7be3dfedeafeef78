// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
)

// controller-gen v0.23.0 reads each of these the same way, and refuses what is refused here.
// Caught: lists in braces; core, which stands for the group without a name.
func TestMarkerSyntax(t *testing.T) {
	policy := func(groups, resources, verbs []string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: groups, Resources: resources, Verbs: verbs}
	}
	list := func(values ...string) []string { return values }
	for _, r := range []struct {
		text, namespace, role string
		want                  rbacv1.PolicyRule
	}{
		{`groups=events.k8s.io,resources=events,verbs=create;patch`, "", "",
			policy(list("events.k8s.io"), list("events"), list("create", "patch"))},
		{`groups="",resources=events,verbs=create;patch,namespace=shop`, "shop", "",
			policy(list(""), list("events"), list("create", "patch"))},
		{`groups=core;apps,resources=events,verbs=*,namespace="shop",roleName=r`, "shop", "r",
			policy(list("", "apps"), list("events"), list("*"))},
		{`groups="";"events.k8s.io" , resources = {events, "pods/log"} , verbs={create}`, "", "",
			policy(list("", "events.k8s.io"), list("events", "pods/log"), list("create"))},
		{"groups=`a;b`,verbs=get;", "", "", policy(list("a;b"), nil, list("get"))},
		{`groups=,resources=events,verbs=get`, "", "", policy(nil, list("events"), list("get"))},
		{`groups={},resources={a,},verbs=get`, "", "", policy(nil, list("a"), list("get"))},
		{`urls=/metrics,verbs=get`, "", "",
			rbacv1.PolicyRule{NonResourceURLs: list("/metrics"), Verbs: list("get")}},
		{`groups=a,resources=b,resourceNames=c;d,verbs=get`, "", "", rbacv1.PolicyRule{
			APIGroups: list("a"), Resources: list("b"), ResourceNames: list("c", "d"), Verbs: list("get"),
		}},
	} {
		t.Run(r.text, func(t *testing.T) {
			got, err := parseMarker(r.text)
			if err != nil {
				t.Fatal(err)
			}
			want := marker{r.namespace, r.role, r.want}
			if diff := cmp.Diff(want, *got, cmp.AllowUnexported(marker{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for text, want := range map[string]string{
		`groups=a,resources=b`:   "no verbs",
		`groups,verbs=get`:       "no verbs",
		`verbs={get`:             "no closing brace",
		`verbs="get`:             `a string has no end: "get`,
		`verbs="get"x`:           `a comma is missing before "x"`,
		`verbs=get,resources`:    `no value in "resources"`,
		`verbs={get}};groups=a`:  `a comma is missing before "};groups=a"`,
		`groups={a;b},verbs=get`: "no closing brace",
	} {
		if _, err := parseMarker(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Which comments controller-gen v0.23.0 takes for markers of the package.
// Caught: markers in functions and in their doc comments, which it does not see.
func TestMarkerPlaces(t *testing.T) {
	const text = `// +kubebuilder:rbac:groups=a,resources=package,verbs=get

// Package p has a doc comment.
//
// +kubebuilder:rbac:groups=a,resources=doc,verbs=get
package p

//+kubebuilder:rbac:groups=a,resources=nospace,verbs=get
//  +kubebuilder:rbac:groups=a,resources=space,verbs=get

/* +kubebuilder:rbac:groups=a,resources=block,verbs=get */

// T is a type.
// +kubebuilder:rbac:groups=a,resources=typedoc,verbs=get
type T struct {
	// +kubebuilder:rbac:groups=a,resources=field,verbs=get
	F int
}

// +kubebuilder:rbac:groups=a,resources=func,verbs=get
func f() {
	// +kubebuilder:rbac:groups=a,resources=body,verbs=get
	_ = "// +kubebuilder:rbac:groups=a,resources=string,verbs=get"
}

// +kubebuilder:rbac:groups=a,resources=before,verbs=get

// G is a function.
func G() {}

// +kubebuilder:rbac:groups=a,resources=end,verbs=get,namespace=shop`
	objects, err := markers("p/p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range objects {
		got = append(got, o.Kind+" "+o.Rules[0].Resources[0]+" "+o.String())
	}
	want := []string{
		"ClusterRole package the marker at p/p.go:1",
		"ClusterRole doc the marker at p/p.go:5",
		"ClusterRole nospace the marker at p/p.go:8",
		"ClusterRole space the marker at p/p.go:9",
		"ClusterRole before the marker at p/p.go:26",
		"Role end the marker at p/p.go:31",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := markers("p.go", []byte("package p\n\n// +kubebuilder:rbac:groups=a\n")); err == nil ||
		err.Error() != "p.go:3: marker +kubebuilder:rbac:groups=a: no verbs" {
		t.Errorf("a marker without verbs: %v", err)
	}
}
