// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// recordedT is a test that keeps its failures.
type recordedT struct {
	testing.TB
	helped   bool
	failures []string
}

func (t *recordedT) Helper() { t.helped = true }

func (t *recordedT) Errorf(format string, args ...any) {
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

const rbacAPI = "apiVersion: rbac.authorization.k8s.io/v1\n"

// workerRole returns a Role, and its binding to the account worker, that allow Events through group
// in namespace shop.
func workerRole(group string) string {
	return rbacAPI + "kind: Role\nmetadata: {namespace: shop, name: worker}\n" +
		fmt.Sprintf("rules: [{apiGroups: [%q], resources: [events], verbs: [create, patch]}]\n", group) +
		"---\n" + rbacAPI + "kind: RoleBinding\nmetadata: {namespace: shop, name: worker}\n" +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: worker}\n" +
		"subjects: [{kind: ServiceAccount, namespace: shop, name: worker}]\n"
}

// The examples show the whole reports.
func TestVerifyRBAC(t *testing.T) {
	v1, core := Access{Group: "events.k8s.io", Namespace: "shop"}, Access{Group: "", Namespace: "shop"}
	manifests := fstest.MapFS{"role.yaml": {Data: []byte(workerRole("events.k8s.io"))}}
	for _, r := range []struct {
		manifests fs.FS
		opts      []RBACOption
		want      string // how the failure begins
	}{
		{manifests, []RBACOption{Needs()}, "eventstest: the manifests do not grant\n  create and patch events of events.k8s.io in all"},
		{manifests, []RBACOption{Needs(v1), BoundTo("shop", "worker")}, ""},
		{manifests, []RBACOption{Needs(v1), Needs(core)}, "eventstest: the manifests do not grant\n  create and patch events of core/v1"},
		{manifests, []RBACOption{Needs(v1), BoundTo("shop", "other")}, "eventstest: the manifests do not grant to ServiceAccount shop/other\n"},
		{os.DirFS("does-not-exist"), nil, "eventstest: cannot read manifests: "},
	} {
		got := &recordedT{}
		VerifyRBAC(got, r.manifests, r.opts...)
		if text := strings.Join(got.failures, "\n"); (r.want == "") != (text == "") || !strings.HasPrefix(text, r.want) || !got.helped {
			t.Errorf("helper %v, got %q, want %q", got.helped, text, r.want)
		}
	}
}

func TestReadRBACErrors(t *testing.T) {
	one := fstest.MapFS{"role.yaml": {Data: []byte(workerRole("events.k8s.io"))}}
	if rules, err := ReadRBAC(one, BoundTo("shop", "other")); len(rules) > 0 || err != nil {
		t.Errorf("another account has %v, %v", rules, err)
	}
	for name, manifests := range map[string]fstest.MapFS{
		"nothing": {}, "broken": {"role.yaml": {Data: []byte(rbacAPI + "kind: Role\nrules: 1\n")}},
	} {
		if rules, err := ReadRBAC(manifests); err == nil || !strings.HasPrefix(err.Error(), "eventstest: ") {
			t.Errorf("%s: %v, %v", name, rules, err)
		}
	}
}

// With the rules of a Role, the answers of a Clientset to reviews and to requests agree.
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
	_, err = viaEventsV1(c).Create(t.Context(), in("bank", newEvent("web.1")))
	checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
}
