// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// recordedT keeps what a test would be told.
type recordedT struct {
	testing.TB
	helped   bool
	failures []string
}

func (t *recordedT) Helper() { t.helped = true }

func (t *recordedT) Errorf(format string, args ...any) {
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

func verifyRBAC(manifests fstest.MapFS, opts ...RBACOption) *recordedT {
	t := &recordedT{}
	VerifyRBAC(t, manifests, opts...)
	return t
}

const rbacAPI = "apiVersion: rbac.authorization.k8s.io/v1\n"

// workerRole lets worker of namespace shop record Events through group, there.
func workerRole(group string) string {
	return rbacAPI + "kind: Role\nmetadata: {namespace: shop, name: worker}\n" +
		fmt.Sprintf("rules: [{apiGroups: [%q], resources: [events], verbs: [create, patch]}]\n", group) +
		"---\n" + rbacAPI + "kind: RoleBinding\nmetadata: {namespace: shop, name: worker}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: worker}\n" +
		"subjects: [{kind: ServiceAccount, namespace: shop, name: worker}]\n"
}

// Caught: an option that was not handed on.
func TestVerifyRBAC(t *testing.T) {
	manifests := fstest.MapFS{
		"shop/kustomization.yaml": {Data: []byte("resources: [role.yaml]")},
		"shop/role.yaml":          {Data: []byte(workerRole("events.k8s.io"))},
		"old/kustomization.yaml":  {Data: []byte("resources: [role.yaml]")},
		"old/role.yaml":           {Data: []byte(workerRole(""))},
	}
	v1 := Access{Group: "events.k8s.io", Namespace: "shop"}
	core := Access{Group: "", Namespace: "shop"}
	for _, r := range []struct {
		name string
		opts []RBACOption
		want []string // one beginning per failure
	}{
		{"all namespaces", nil, []string{"missing in kustomization old:", "missing in kustomization shop:"}},
		{"nothing was written", []RBACOption{Needs()}, []string{"missing in kustomization old:",
			"missing in kustomization shop:"}},
		{"one namespace", []RBACOption{Needs(v1)}, []string{"missing in kustomization old:"}},
		{"both groups", []RBACOption{Needs(v1), Needs(core)}, []string{"missing in kustomization old:",
			"missing in kustomization shop:"}},
		{"one overlay", []RBACOption{Needs(v1), Overlay("shop")}, nil},
		{"its account", []RBACOption{Needs(core), Overlay("./old/"), BoundTo("shop", "worker")}, nil},
		{"another account", []RBACOption{Needs(core), Overlay("old"), BoundTo("shop", "other")},
			[]string{"missing in kustomization old:"}},
		{"no such overlay", []RBACOption{Overlay("new")},
			[]string{"kustomization new: new: no kustomization in this directory"}},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := verifyRBAC(manifests, r.opts...)
			var begins []string
			for _, failure := range got.failures {
				line, _, _ := strings.Cut(failure, "\n")
				line = strings.TrimPrefix(strings.TrimPrefix(line, "eventstest: "), "permission to record Events is ")
				begins = append(begins, line)
			}
			if diff := cmp.Diff(r.want, begins); diff != "" || !got.helped {
				t.Errorf("helper %v, failures (-want +got)\n%s", got.helped, diff)
			}
		})
	}
}

func TestVerifyRBACReadsWhatIsThere(t *testing.T) {
	got := &recordedT{}
	VerifyRBAC(got, os.DirFS("does-not-exist"))
	if len(got.failures) != 1 || !strings.HasPrefix(got.failures[0], "eventstest: cannot look for manifests: ") {
		t.Errorf("a directory that is not there: %q", got.failures)
	}
}

func TestReadRBAC(t *testing.T) {
	one := fstest.MapFS{"role.yaml": {Data: []byte(workerRole("events.k8s.io"))}}
	rules, err := ReadRBAC(one, BoundTo("shop", "worker"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		request Request
		want    bool
	}{
		{Request{Verb: "create", Group: "events.k8s.io", Resource: "events", Namespace: "shop"}, true},
		{Request{Verb: "patch", Group: "events.k8s.io", Resource: "events", Namespace: "shop", Name: "web.1"}, true},
		{Request{Verb: "get", Group: "events.k8s.io", Resource: "events", Namespace: "shop", Name: "web.1"}, false},
		{Request{Verb: "create", Group: "", Resource: "events", Namespace: "shop"}, false},
		{Request{Verb: "create", Group: "events.k8s.io", Resource: "events", Namespace: "bank"}, false},
		{Request{Verb: "create", Group: "events.k8s.io", Resource: "events"}, false},
	} {
		if got := rules.Allow(r.request); got != r.want {
			t.Errorf("Allow(%+v) = %v, want %v", r.request, got, r.want)
		}
	}
	named := Rules{"": {{
		APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"get"}, ResourceNames: []string{"web.1"},
	}}}
	for name, want := range map[string]bool{"web.1": true, "web.2": false} {
		if got := named.Allow(Request{Verb: "get", Resource: "events", Namespace: "shop", Name: name}); got != want {
			t.Errorf("get of %s: %v, want %v", name, got, want)
		}
	}
	if rules, err := ReadRBAC(one, BoundTo("shop", "other")); len(rules) > 0 || err != nil {
		t.Errorf("another account has %v, %v", rules, err)
	}
	two := fstest.MapFS{
		"a/kustomization.yaml": {Data: []byte("resources: [role.yaml]")}, "a/role.yaml": one["role.yaml"],
		"b/kustomization.yaml": {Data: []byte("namespace: bank\nresources: [role.yaml]")},
		"b/role.yaml":          one["role.yaml"],
	}
	const several = "eventstest: kustomization a, kustomization b are different sources: name one with Overlay"
	if _, err := ReadRBAC(two); err == nil || err.Error() != several {
		t.Errorf("two sources: %v, want %s", err, several)
	}
	if rules, err := ReadRBAC(two, Overlay("b")); len(rules["bank"]) != 1 || err != nil {
		t.Errorf("an overlay: %v, %v", rules, err)
	}
	marker := fstest.MapFS{"a.go": {Data: []byte("package a\n// +kubebuilder:rbac:groups=\"\",resources=events,verbs=create")}}
	if rules, err := ReadRBAC(marker); len(rules[""]) != 1 || err != nil {
		t.Errorf("a marker alone: %v, %v", rules, err)
	}
	for name, manifests := range map[string]fstest.MapFS{
		"nothing": {}, "broken": {"role.yaml": {Data: []byte(rbacAPI + "kind: Role\nrules: 1\n")}},
	} {
		if rules, err := ReadRBAC(manifests); err == nil || !strings.HasPrefix(err.Error(), "eventstest: ") {
			t.Errorf("%s: %v, %v", name, rules, err)
		}
	}
}

// A clientset that is as strict as a Role: reviews and requests agree.
func TestRulesAuthorize(t *testing.T) {
	rules, err := ReadRBAC(fstest.MapFS{"role.yaml": {Data: []byte(workerRole("events.k8s.io"))}})
	if err != nil {
		t.Fatal(err)
	}
	c := NewClientset()
	c.Authorize(rules.Allow)
	for namespace, want := range map[string]bool{"shop": true, "bank": false, "": false} {
		if got, err := review(t.Context(), c, "create", namespace); got != want || err != nil {
			t.Errorf("review in %q: %v, %v; want %v", namespace, got, err, want)
		}
	}
	mustCreate(t, viaEventsV1(c), in("shop", newEvent("web.1")))
	mustPatch(t, viaEventsV1(c), in("shop", newEvent("web.1")), secondOccurrence)
	if _, err := viaEventsV1(c).Create(t.Context(), in("bank", newEvent("web.1"))); err == nil {
		t.Error("a create in another namespace is allowed")
	}
}
