// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// builtin holds the ClusterRoles that every cluster has for its users, with what they say about Events.
var builtin = map[string]rbacv1.PolicyRule{
	"cluster-admin": {APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}},
	"admin":         events("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"),
	"edit":          events("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"),
	"view":          events("get", "list", "watch"),
}

func events(verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{
		APIGroups: []string{corev1.GroupName, eventsv1.GroupName}, Resources: []string{resource}, Verbs: verbs,
	}
}
