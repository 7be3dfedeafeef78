// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/eventseries/eventseries/internal/testkit/rbac"
)

// VerifyRBAC fails t if the RBAC that a project ships does not let its component record Events. Recording takes create
// and patch, by default through events.k8s.io in all namespaces. The failure says what is missing, which roles come
// near, and what to add to which of them.
//
// All *.yaml, *.yml and *.json files below the root of manifests are read together, but for hidden directories. They
// must be rendered, as by "kustomize build", "helm template" or "controller-gen rbac:roleName=manager-role": a
// kustomization or a template fails t with the command to run.
//
// Rules count where they are bound, to anybody or to the account of [BoundTo]. If nothing is bound, a ClusterRole
// counts as bound everywhere and a Role in its namespace. Objects without a namespace are in that of BoundTo, else in
// "default", as for kubectl.
//
//	manifests, account := os.DirFS("config"), eventstest.BoundTo("replicas-system", "replicas")
//	…
//	eventstest.VerifyRBAC(t, manifests, account, eventstest.Needs(client.Written()...))
func VerifyRBAC(t testing.TB, manifests fs.FS, opts ...RBACOption) {
	t.Helper()
	c := newRBACConfig(opts)
	read, err := rbac.Read(manifests)
	if err != nil {
		t.Errorf("eventstest: %v", err)
		return
	}
	if problem := read.Verify(c.account, c.needs); problem != "" {
		t.Errorf("eventstest: %s", problem)
	}
}

// RBACOption changes what [VerifyRBAC] and [ReadRBAC] look at.
type RBACOption func(*rbacConfig)

type rbacConfig struct {
	account rbac.Account
	needs   []rbac.Access
}

// Needs sets what has to be allowed, in place of events.k8s.io in all namespaces. It takes what [Clientset.Written]
// returned at the end of a test, or a list. Several Needs add up. If all are empty, the default stays. For leader
// election whose lock has no recorder of this SDK, it is
//
//	election := eventstest.Needs(eventstest.Access{Group: "", Namespace: "shop-system"})
func Needs(written ...Access) RBACOption {
	return func(c *rbacConfig) {
		for _, access := range written {
			c.needs = append(c.needs, rbac.Access(access))
		}
	}
}

// BoundTo counts only what is bound to this ServiceAccount or to a group that it is in. Both names are the
// rendered ones.
func BoundTo(namespace, serviceAccount string) RBACOption {
	return func(c *rbacConfig) { c.account = rbac.Account{Namespace: namespace, Name: serviceAccount} }
}

func newRBACConfig(opts []RBACOption) *rbacConfig {
	c := &rbacConfig{}
	for _, opt := range opts {
		opt(c)
	}
	if len(c.needs) == 0 {
		c.needs = []rbac.Access{{Group: eventsv1.GroupName}} // to write about objects of any namespace
	}
	return c
}

// Rules are RBAC rules by the namespace that they are in force in; those of "" are in force everywhere. With
// [Clientset.Authorize] they make the fake clientset as strict as a cluster:
//
//	client.Authorize(eventstest.Rules{"shop": role.Rules}.Allow)
type Rules map[string][]rbacv1.PolicyRule

// Allow reports whether a rule allows request, as RBAC decides it: a rule with resourceNames allows no create, and a
// request for all namespaces takes a rule that is in force everywhere. It is safe for concurrent use.
func (r Rules) Allow(request Request) bool {
	return rbac.Rules(r).Allow(request.Verb, request.Group, request.Resource, request.Namespace, request.Name)
}

// ReadRBAC returns the rules that are in force where manifests are applied, so that a test can run a component with the
// RBAC that it ships. It reads what [VerifyRBAC] reads, and takes the option [BoundTo]. Of the ClusterRoles that are
// built into a cluster, only the rules about Events are known.
func ReadRBAC(manifests fs.FS, opts ...RBACOption) (Rules, error) {
	read, err := rbac.Read(manifests)
	if err != nil {
		return nil, fmt.Errorf("eventstest: %w", err)
	}
	return Rules(read.Rules(newRBACConfig(opts).account)), nil
}

// Access is permission to record Events, which is to create and to patch them, through one API group in one namespace.
type Access struct {
	// Group is "events.k8s.io", or "" for core/v1.
	Group string
	// Namespace is one namespace, or "" for all of them.
	Namespace string
}

// Written returns where Events were written to or tried to be, also without success: what RBAC has to allow, as the
// argument of [Needs]. It is sorted by namespace and group.
func (c *Clientset) Written() []Access {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.SortedFunc(maps.Keys(c.written), func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
	})
}
