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

// Remedy returns the RBAC objects that allow User to record Events in Namespace: a Role and its
// RoleBinding, or a ClusterRole and its ClusterRoleBinding if Namespace is "". They grant create
// and patch in each API group whose permission is not Allowed, which includes PermissionUnknown. If
// both are Allowed, Remedy returns "".
//
// The text is one line of JSON, a List for "kubectl apply -f -". Applying it does not replace the
// objects of another remedy. The text is ASCII without apostrophes, so that it can be quoted with
// apostrophes in a shell.
//
// If User is empty, the subject is a placeholder. The API server refuses it until somebody replaces
// it by a name.
//
// Remedy does no I/O and is safe for concurrent use.
func (a Access) Remedy() string { return Remedy(a) }

// Remedy returns one List with the objects of [Access.Remedy] for all accesses, or "" if nothing is
// missing in any of them.
func Remedy(accesses ...Access) string {
	var items []any
	for _, a := range accesses {
		items = append(items, a.objects()...)
	}
	if len(items) == 0 {
		return ""
	}
	// The error is always nil, because JSON has all these types.
	text, _ := json.Marshal(items)
	// Characters that a terminal, a log or a shell may interpret are escaped.
	return usercode.Escape(`{"kind":"List","apiVersion":"v1","items":`+string(text)+`}`,
		func(r rune) bool { return ' ' <= r && r <= '~' && r != '\'' })
}

// objects returns a role and its binding, or nothing if nothing is missing. The types Role and
// RoleBinding also serve for ClusterRole and ClusterRoleBinding, which have the same fields.
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

// missing returns the API groups that are not Allowed.
func (a Access) missing() (groups []string) {
	if a.EventsV1 != Allowed {
		groups = append(groups, eventsv1.GroupName)
	}
	if a.CoreV1 != Allowed {
		groups = append(groups, corev1.GroupName)
	}
	return groups
}

// accountPrefix is the prefix of the user name of every service account. The API server reserves
// this prefix, so no other user name has it.
const accountPrefix = "system:serviceaccount:"

// placeholder is the user name in a remedy if the name is not known. It is in upper case, which is
// invalid in the name of a service account, so that the API server refuses it.
const placeholder = accountPrefix + "REPLACE-WITH-ITS-NAMESPACE:REPLACE-WITH-ITS-NAME"

// subject returns the RBAC subject for a user name.
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

// remedyName returns the name of a role and of its binding. The name ends with a hash of the groups
// and the user, so that two remedies with different content have different names. Otherwise,
// "kubectl apply" would replace the rules and the subjects of the first: a remedy for core/v1 would
// revoke a grant for events.k8s.io, and a second component in the namespace would take the binding
// of the first.
func remedyName(user string, groups []string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(user, accountPrefix)), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	sum := sha256.Sum256([]byte(`"` + strings.Join(groups, `", "`) + `"` + "\x00" + user))
	// The slug is cut after 42 bytes so that the name has at most 63 bytes, the limit of a DNS
	// label.
	return fmt.Sprintf("eventseries-%.42s-%x", cmp.Or(slug, "subject"), sum[:4])
}
