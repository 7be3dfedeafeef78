// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read returns the only marker in a file that has it in a line of its own.
func read(t *testing.T, arguments string) Marker {
	t.Helper()
	all, err := Markers("package p\n\n// " + MarkerPrefix + arguments + "\n")
	if err != nil || len(all) != 1 {
		t.Fatalf("%d markers, %v", len(all), err)
	}
	return all[0]
}

// controller-gen v0.23.0 reads each of these the same way, and refuses what is refused here, but for two commas in a
// row and space within an argument.
//
// Caught: lists in braces; core, which stands for the group without a name.
func TestMarkerSyntax(t *testing.T) {
	rule := func(groups, resources, verbs []string) Rule {
		return Rule{APIGroups: groups, Resources: resources, Verbs: verbs}
	}
	list := func(values ...string) []string { return values }
	for _, r := range []struct {
		text, namespace, role string
		want                  Rule
	}{
		{`groups=events.k8s.io,resources=events,verbs=create;patch`, "", "",
			rule(list("events.k8s.io"), list("events"), list("create", "patch"))},
		{`groups="",resources=events,verbs=create;patch,namespace=shop`, "shop", "",
			rule(list(""), list("events"), list("create", "patch"))},
		{`groups=core;apps,resources=events,verbs=*,namespace="shop",roleName=r`, "shop", "r",
			rule(list("", "apps"), list("events"), list("*"))},
		{`groups="";"events.k8s.io" , resources = {events, "pods/log"} , verbs={create}`, "", "",
			rule(list("", "events.k8s.io"), list("events", "pods/log"), list("create"))},
		{"groups=`a;b`,verbs=get;", "", "", rule(list("a;b"), nil, list("get"))},
		{`groups=,resources=events,verbs=get`, "", "", rule(nil, list("events"), list("get"))},
		{`groups={},resources={a,},verbs=get`, "", "", rule(nil, list("a"), list("get"))},
		{`groups=a,,verbs=get,`, "", "", rule(list("a"), nil, list("get"))},
		{`urls=/metrics,verbs=get`, "", "", Rule{NonResourceURLs: list("/metrics"), Verbs: list("get")}},
		{`groups=a,resources=b,resourceNames=c;d,verbs=get`, "", "", Rule{
			APIGroups: list("a"), Resources: list("b"), ResourceNames: list("c", "d"), Verbs: list("get"),
		}},
	} {
		t.Run(r.text, func(t *testing.T) {
			got := read(t, r.text)
			if got.Err != nil || got.Namespace != r.namespace || got.RoleName != r.role {
				t.Errorf("%q, %q, %v", got.Namespace, got.RoleName, got.Err)
			}
			if diff := cmp.Diff(r.want, got.Rule); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for text, want := range map[string]string{
		`verbs={get`:             "no closing brace",
		`verbs="get`:             `a string has no end: "get`,
		`verbs="get"x`:           `a comma is missing before "x"`,
		`verbs=get,resources`:    `no value in "resources"`,
		`verbs={get}};groups=a`:  `a comma is missing before "};groups=a"`,
		`groups={a;b},verbs=get`: "no closing brace",
	} {
		if got := read(t, text); got.Err == nil || got.Err.Error() != want {
			t.Errorf("%s: %v, want %s", text, got.Err, want)
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
	all, err := Markers(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, fmt.Sprint(m.Rule.Resources[0], " ", m.Line))
	}
	want := []string{
		"package 1",
		"doc 5",
		"nospace 8",
		"space 9",
		"before 26",
		"end 31",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Caught: markers that are lost because of what else is in the file; an error without its line.
func TestMarkersOfABrokenFile(t *testing.T) {
	all, err := Markers("package p\r\n\r\n// " + MarkerPrefix + "verbs=get\r\n\r\nfunc {\r\n")
	if len(all) != 1 || all[0].Text != "verbs=get" || err == nil || err.Error() != "line 5: expected 'IDENT', found '{'" {
		t.Errorf("%v, %v", all, err)
	}
}
