// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/eventseries/eventseries/internal/testkit/rbac"
)

// VerifyRBAC fails t if the RBAC objects in a project's manifests do not allow its component to
// record Events. Recording needs the verbs create and patch. By default VerifyRBAC checks both
// verbs in events.k8s.io and in all namespaces; [Needs] changes this. The failure message lists the
// missing permissions and the existing rules about Events, and says what to add to which role.
//
// VerifyRBAC reads all *.yaml, *.yml and *.json files below the root of manifests, except in hidden
// directories. They must be rendered, for example by "kustomize build", "helm template" or
// "controller-gen rbac:roleName=manager-role". If there is a kustomization or a template, t fails
// with the command that renders it.
//
// The rules of a role apply where a binding grants the role. By default, bindings to any subject
// count; with [BoundTo], only bindings to one ServiceAccount do. If there are no bindings at all,
// VerifyRBAC assumes that a ClusterRole applies everywhere, and a Role in its namespace. An object
// without a namespace is assumed to be in the namespace passed to BoundTo, or else in "default",
// where kubectl would create it.
//
//	manifests, account := os.DirFS("config"), eventstest.BoundTo("replicas-system", "replicas")
//	…
//	eventstest.VerifyRBAC(t, manifests, account, eventstest.Needs(client.Written()...))
func VerifyRBAC(t TB, manifests fs.FS, opts ...RBACOption) {
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

// RBACOption is an option of [VerifyRBAC] and [ReadRBAC].
type RBACOption func(*rbacConfig)

type rbacConfig struct {
	account rbac.Account
	needs   []rbac.Access
}

// Needs sets the permissions that [VerifyRBAC] checks. The default is events.k8s.io in all
// namespaces. Pass a list of permissions. At the end of a test, [Clientset.Written] returns the
// list of the permissions that the component has needed. If the option is passed several times, all
// permissions are checked. If all lists are empty, the default is used.
//
// A component whose leader election records Events without this SDK also needs
//
//	election := eventstest.Needs(eventstest.Access{Group: "", Namespace: "shop-system"})
func Needs(written ...Access) RBACOption {
	return func(c *rbacConfig) {
		for _, access := range written {
			c.needs = append(c.needs, rbac.Access(access))
		}
	}
}

// BoundTo restricts the check to roles that are bound to the given ServiceAccount, or to a group
// that the ServiceAccount belongs to. namespace and serviceAccount are as in the rendered
// manifests.
func BoundTo(namespace, serviceAccount string) RBACOption {
	return func(c *rbacConfig) { c.account = rbac.Account{Namespace: namespace, Name: serviceAccount} }
}

func newRBACConfig(opts []RBACOption) *rbacConfig {
	c := &rbacConfig{}
	for _, opt := range opts {
		opt(c)
	}
	if len(c.needs) == 0 {
		// A component may record about objects of any namespace.
		c.needs = []rbac.Access{{Group: eventsv1.GroupName}}
	}
	return c
}

// Rules maps each namespace to the RBAC rules that apply in it. The rules for namespace "" apply
// everywhere. If a test passes the method Allow of Rules to [Clientset.Authorize], the fake
// clientset is as strict as a cluster:
//
//	client.Authorize(eventstest.Rules{"shop": role.Rules}.Allow)
type Rules map[string][]rbacv1.PolicyRule

// Allow reports whether RBAC would allow request under these rules. For example, a rule with
// resourceNames allows no create, and a request for all namespaces needs a rule that applies
// everywhere. Allow is safe for concurrent use.
func (r Rules) Allow(request Request) bool {
	return rbac.Rules(r).Allow(request.Verb, request.Group, request.Resource, request.Namespace, request.Name)
}

// ReadRBAC returns the rules that apply once manifests are applied to a cluster, so that a test can
// run a component with its own RBAC. It reads the same files as [VerifyRBAC], and accepts the
// option [BoundTo]. For a binding to one of Kubernetes' default ClusterRoles, such as "edit", the
// result contains only the rules about Events.
func ReadRBAC(manifests fs.FS, opts ...RBACOption) (Rules, error) {
	read, err := rbac.Read(manifests)
	if err != nil {
		return nil, fmt.Errorf("eventstest: %w", err)
	}
	return Rules(read.Rules(newRBACConfig(opts).account)), nil
}

// Access is the permission to create and patch Events through one API group in one namespace.
type Access struct {
	// Group is "events.k8s.io", or "" for core/v1.
	Group string
	// Namespace is the name of the namespace, or "" for all namespaces.
	Namespace string
}

// Written returns the permissions that the component has needed so far. The result has one entry
// for each API group and namespace in which the component has tried to write Events, successfully
// or not. The entries are sorted by namespace and group. Pass them to [Needs].
func (c *Clientset) Written() []Access {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.SortedFunc(maps.Keys(c.written), func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group))
	})
}
