// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The two API groups that have Events.
const (
	EventsV1 = "events.k8s.io"
	CoreV1   = ""
)

// verbs are those that recording needs.
var verbs = []string{"create", "patch"}

// Allow lets the user record Events in a namespace through each of the groups, and
// returns when the server's authorizer knows.
func (e *Env) Allow(namespace string, groups ...string) {
	e.t.Helper()
	for _, group := range groups {
		name := e.roleName(group)
		meta := metav1.ObjectMeta{Name: name}
		rbac := e.Admin.RbacV1()
		_, err := rbac.Roles(namespace).Create(e.t.Context(), &rbacv1.Role{
			ObjectMeta: meta,
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{group}, Resources: []string{"events"}, Verbs: verbs}},
		}, metav1.CreateOptions{})
		e.must(err)
		_, err = rbac.RoleBindings(namespace).Create(e.t.Context(), &rbacv1.RoleBinding{
			ObjectMeta: meta,
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: e.User}},
		}, metav1.CreateOptions{})
		e.must(err)
	}
	for _, group := range groups {
		e.AwaitAccess(namespace, group, true)
	}
}

// AllowAll lets the user record Events in every namespace, and returns when the
// server's authorizer knows.
func (e *Env) AllowAll() {
	e.t.Helper()
	e.Kubectl("create", "clusterrole", e.User,
		"--verb="+strings.Join(verbs, ","), "--resource=events,events.events.k8s.io")
	e.Kubectl("create", "clusterrolebinding", e.User, "--clusterrole="+e.User, "--user="+e.User)
	for _, group := range []string{EventsV1, CoreV1} {
		e.AwaitAccess(metav1.NamespaceAll, group, true)
	}
}

// Deny revokes what Allow granted, and returns when the server's authorizer knows.
func (e *Env) Deny(namespace string, groups ...string) {
	e.t.Helper()
	for _, group := range groups {
		rbac := e.Admin.RbacV1()
		e.must(rbac.RoleBindings(namespace).Delete(e.t.Context(), e.roleName(group), metav1.DeleteOptions{}))
		e.must(rbac.Roles(namespace).Delete(e.t.Context(), e.roleName(group), metav1.DeleteOptions{}))
		e.AwaitAccess(namespace, group, false)
	}
}

// AwaitAccess asks until the server's authorizer, which follows the RBAC objects
// by watching them, has caught up.
func (e *Env) AwaitAccess(namespace, group string, allowed bool) {
	e.t.Helper()
	for _, verb := range verbs {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: e.User, Groups: []string{"components", "system:authenticated"},
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: namespace, Verb: verb, Group: group, Resource: "events",
			},
		}}
		e.Await("the authorizer to learn about "+verb, func() bool {
			answer, err := e.Admin.AuthorizationV1().SubjectAccessReviews().
				Create(e.t.Context(), review, metav1.CreateOptions{})
			e.must(err)
			return answer.Status.Allowed == allowed
		})
	}
}

// roleName contains the user, because all tests share the default namespace.
func (e *Env) roleName(group string) string {
	return strings.TrimSuffix(e.User+"-records-"+group, "-")
}
