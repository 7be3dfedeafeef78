// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
)

// A ClusterRole says that the component works in all namespaces, unless it is for authentication alone.
//
// Caught: system:auth-delegator, which each component has whose metrics are protected.
func TestClusterRolesOfTheAccount(t *testing.T) {
	rule := func(group, resource string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{
			APIGroups: []string{group},
			Resources: []string{resource},
			Verbs:     []string{"create"},
		}
	}
	tokens := rule("authentication.k8s.io", "tokenreviews")
	reviews := rule("authorization.k8s.io", "subjectaccessreviews")
	for name, test := range map[string]struct {
		rules  []rbacv1.PolicyRule
		denied bool // the role cannot be read
		want   []string
	}{
		"authentication":             {rules: []rbacv1.PolicyRule{tokens, reviews}},
		"authentication and objects": {rules: []rbacv1.PolicyRule{tokens, reviews, rule("", "pods")}, want: []string{"role"}},
		"another resource":           {rules: []rbacv1.PolicyRule{rule("authorization.k8s.io", "*")}, want: []string{"role"}},
		"all groups":                 {rules: []rbacv1.PolicyRule{rule("*", "tokenreviews")}, want: []string{"role"}},
		"unknown":                    {denied: true, want: []string{"role"}},
	} {
		t.Run(name, func(t *testing.T) {
			binding := rbacv1.ClusterRoleBinding{
				Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "hello", Name: "hello"}},
				RoleRef:  rbacv1.RoleRef{Kind: "ClusterRole", Name: "role"},
			}
			answers := map[string]any{
				"/apis/rbac.authorization.k8s.io/v1/rolebindings":        rbacv1.RoleBindingList{},
				"/apis/rbac.authorization.k8s.io/v1/clusterrolebindings": rbacv1.ClusterRoleBindingList{Items: []rbacv1.ClusterRoleBinding{binding}},
				"/apis/rbac.authorization.k8s.io/v1/clusterroles/role":   rbacv1.ClusterRole{Rules: test.rules},
			}
			if test.denied {
				delete(answers, "/apis/rbac.authorization.k8s.io/v1/clusterroles/role")
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer, ok := answers[r.URL.Path]
				w.Header().Set("Content-Type", "application/json")
				if !ok {
					w.WriteHeader(http.StatusForbidden)
					answer = metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden}
				}
				_ = json.NewEncoder(w).Encode(answer)
			}))
			defer server.Close()
			client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			g := &gatherer{
				Facts:  &Facts{Account: "system:serviceaccount:hello:hello"},
				client: &cluster.Client{Interface: client},
				object: &unstructured.Unstructured{},
			}
			g.bound(t.Context())
			if diff := cmp.Diff(test.want, g.ClusterRoles, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("ClusterRoles (-want +got):\n%s", diff)
			}
			if len(g.Unknown) > 0 {
				t.Errorf("unknown: %q", g.Unknown)
			}
		})
	}
}
