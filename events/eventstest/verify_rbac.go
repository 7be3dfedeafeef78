// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"io/fs"
	"testing"

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
// election with a lock that adapter.LeaderElectionLock did not make, it is
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
		c.needs = []rbac.Access{rbac.Access(everywhere)}
	}
	return c
}
