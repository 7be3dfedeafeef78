// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"io/fs"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/eventseries/eventseries/internal/testkit/rbac"
)

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
