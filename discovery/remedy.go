// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/usercode"
)

// Remedy returns the RBAC objects that let User record Events in Namespace: a Role
// and its RoleBinding, or for namespace "" a ClusterRole and its
// ClusterRoleBinding. They grant create and patch in each API group that is not
// Allowed, so also where nothing is known; if both are Allowed, Remedy returns "".
// Applying it takes nothing away that another remedy granted.
//
// The text is one line of JSON, a List for "kubectl apply -f -". It is ASCII and
// has no apostrophe, so that it can stand between two in a shell.
//
// If User is empty, the subject is a placeholder that the API server refuses until
// someone replaces it. Remedy does no I/O and is safe for concurrent use.
func (a Access) Remedy() string { return Remedy(a) }

// Remedy returns the remedies of all accesses as one.
func Remedy(accesses ...Access) string {
	var items []any
	for _, a := range accesses {
		items = append(items, a.objects()...)
	}
	if len(items) == 0 {
		return ""
	}
	text, _ := json.Marshal(items) // JSON has all these types
	// Characters that a terminal, a log or a shell may interpret are escaped.
	return usercode.Escape(`{"kind":"List","apiVersion":"v1","items":`+string(text)+`}`,
		func(r rune) bool { return ' ' <= r && r <= '~' && r != '\'' })
}

// objects returns a role and its binding, or nothing if nothing is missing. Those for the
// cluster have the same fields, but no namespace.
func (a Access) objects() []any {
	groups := a.missing()
	if len(groups) == 0 {
		return nil
	}
	kind, api := "Role", rbacv1.SchemeGroupVersion.String()
	if a.Namespace == "" {
		kind = "ClusterRole"
	}
	meta := metav1.ObjectMeta{Name: remedyName(a.User, groups), Namespace: a.Namespace}
	rule := rbacv1.PolicyRule{
		APIGroups: groups,
		Resources: []string{"events"},
		Verbs:     []string{"create", "patch"},
	}
	return []any{
		rbacv1.Role{
			TypeMeta:   metav1.TypeMeta{APIVersion: api, Kind: kind},
			ObjectMeta: meta,
			Rules:      []rbacv1.PolicyRule{rule},
		},
		rbacv1.RoleBinding{
			TypeMeta:   metav1.TypeMeta{APIVersion: api, Kind: kind + "Binding"},
			ObjectMeta: meta,
			RoleRef: rbacv1.RoleRef{
				APIGroup: rbacv1.GroupName,
				Kind:     kind,
				Name:     meta.Name,
			},
			Subjects: []rbacv1.Subject{subject(a.User)},
		},
	}
}

// missing lists the API groups to grant.
func (a Access) missing() (groups []string) {
	if a.EventsV1 != Allowed {
		groups = append(groups, eventsv1.GroupName)
	}
	if a.CoreV1 != Allowed {
		groups = append(groups, corev1.GroupName)
	}
	return groups
}

// accountPrefix begins the user name of every service account, and of nobody else: the
// server reserves it.
const accountPrefix = "system:serviceaccount:"

// placeholder is for a user that is not known. It is upper case, because no service account
// may have such a name.
const placeholder = accountPrefix + "REPLACE-WITH-ITS-NAMESPACE:REPLACE-WITH-ITS-NAME"

// subject returns the RBAC subject for user.
func subject(user string) rbacv1.Subject {
	account, ok := strings.CutPrefix(cmp.Or(user, placeholder), accountPrefix)
	if !ok {
		return rbacv1.Subject{
			APIGroup: rbacv1.GroupName,
			Kind:     rbacv1.UserKind,
			Name:     user,
		}
	}
	namespace, name, _ := strings.Cut(account, ":")
	return rbacv1.Subject{
		Kind:      rbacv1.ServiceAccountKind,
		Namespace: namespace,
		Name:      name,
	}
}

// remedyName returns the name of the role and of its binding. The hash makes it differ
// with the groups and the subject: kubectl apply replaces rules and subjects, so a
// remedy for core/v1 under the name of one for events.k8s.io would revoke that one,
// and a second component in the namespace would take the binding of the first.
func remedyName(user string, groups []string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(user, accountPrefix)), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	sum := sha256.Sum256([]byte(`"` + strings.Join(groups, `", "`) + `"` + "\x00" + user))
	// Cut after 42 bytes, the name keeps within the 63 of a DNS label.
	return fmt.Sprintf("eventseries-%.42s-%x", cmp.Or(slug, "subject"), sum[:4])
}
