// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"io/fs"
	"testing"

	"github.com/eventseries/eventseries/internal/testkit/rbac"
)

// VerifyRBAC fails t if the RBAC that a project ships does not let its component record Events. Recording takes create
// and patch, by default through events.k8s.io in all namespaces. The failure says what is missing where, which rule
// comes near, and what to add. VerifyRBAC reads below the root of manifests:
//
//   - each kustomization that has RBAC and that no other one uses, with the names and namespaces that it sets. A
//     patch of RBAC is an error, because patches are not applied;
//   - without any such kustomization, all *.yaml, *.yml and *.json files together;
//   - kubebuilder's RBAC markers in Go files, as controller-gen reads them. A rule in a role that is written by hand,
//     as the one for leader election, need not be in a marker.
//
// Each of these is checked by itself. The failure names what was not read: Helm templates, remote bases, missing files.
// Hidden directories, vendor, node_modules and testdata are skipped.
//
// Rules count where they are bound, to anybody or to the account of [BoundTo]. If nothing is bound in a source, a
// ClusterRole counts as bound everywhere and a Role in its namespace. Objects without a namespace are in that of
// BoundTo, else in "default", as for kubectl.
//
//	manifests, account := os.DirFS("config"), eventstest.BoundTo("replicas-system", "replicas")
//	…
//	eventstest.VerifyRBAC(t, manifests, account, eventstest.Needs(client.Written()...))
func VerifyRBAC(t testing.TB, manifests fs.FS, opts ...RBACOption) {
	t.Helper()
	c := newRBACConfig(opts)
	read, err := rbac.Read(manifests, c.options)
	if err != nil {
		t.Errorf("eventstest: %v", err)
		return
	}
	for _, problem := range read.Verify(c.needs) {
		t.Errorf("eventstest: %s", problem)
	}
}

// RBACOption changes what [VerifyRBAC] and [ReadRBAC] look at.
type RBACOption func(*rbacConfig)

type rbacConfig struct {
	options rbac.Options
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

// BoundTo counts only what is bound to this ServiceAccount or to a group that it is in. The name is the one after
// kustomizations.
func BoundTo(namespace, serviceAccount string) RBACOption {
	return func(c *rbacConfig) { c.options.Account = rbac.Account{Namespace: namespace, Name: serviceAccount} }
}

// Overlay reads only the kustomization in dir, a path below the root of the manifests, and no markers.
func Overlay(dir string) RBACOption {
	return func(c *rbacConfig) { c.options.Overlay = dir }
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
