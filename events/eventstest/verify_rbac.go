// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"io/fs"
	"testing"

	"github.com/eventseries/eventseries/internal/testkit/rbac"
)

// VerifyRBAC fails t when what a project ships as RBAC does not let its component record Events: create and patch
// them, by default through events.k8s.io in all namespaces. The failure says what is missing where, which rule comes
// near, and what to add. It reads, below the root of manifests:
//
//   - each kustomization that holds RBAC and that no other one uses, with the names and namespaces it gives; patches
//     of RBAC are not applied, but refused with an error;
//   - without any such kustomization, all *.yaml, *.yml and *.json files together;
//   - kubebuilder's rbac markers in Go files, as what controller-gen makes of them. A rule that the manifests have in a
//     role of their own, as the one for leader election, need not be in a marker.
//
// Each of these is judged alone. What is not read is named in the failure: Helm templates, remote bases, missing files.
// Hidden directories, vendor, node_modules and testdata are passed over.
//
// Rules count where they are bound, to anybody unless [BoundTo] says to whom; in a source without any binding, a
// ClusterRole counts as bound everywhere and a Role in its namespace. Objects without a namespace are in the one of
// BoundTo, else in "default", which is where kubectl puts them.
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

// Needs sets what has to be allowed, in place of events.k8s.io in all namespaces: what [Clientset.Written] returned at
// the end of a test, or a list. Several Needs add up; if there is nothing in any, the default stays. For leader
// election through client-go that is
//
//	election := eventstest.Needs(eventstest.Access{Group: "", Namespace: "shop-system"})
func Needs(written ...Access) RBACOption {
	return func(c *rbacConfig) {
		for _, access := range written {
			c.needs = append(c.needs, rbac.Access(access))
		}
	}
}

// BoundTo counts only what is bound to this ServiceAccount, by its name as applied, or to a group it is in.
func BoundTo(namespace, serviceAccount string) RBACOption {
	return func(c *rbacConfig) { c.options.Account = rbac.Account{Namespace: namespace, Name: serviceAccount} }
}

// Overlay reads only the kustomization in dir, a path below the root of the manifests. No markers are read.
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
