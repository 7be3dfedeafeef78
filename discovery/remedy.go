// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// manifest is written in YAML's flow style with quoted strings, so that no user
// name can change its structure: each escape that %q makes exists in YAML too.
const manifest = `# Lets %[1]s record Events in %[2]s.
# Found: events.k8s.io/v1 %[3]v, core/v1 %[4]v.
apiVersion: rbac.authorization.k8s.io/v1
kind: %[5]sRole
metadata: %[6]s
rules:
- apiGroups: [%[7]s]
  resources: ["events"]
  verbs: ["create", "patch"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: %[5]sRoleBinding
metadata: %[6]s
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %[5]sRole, name: %[8]q}
subjects:
- %[9]s
`

// Remedy returns the RBAC objects that let User record Events in Namespace, as YAML
// for "kubectl apply -f -": a Role and its RoleBinding, or for namespace "" a
// ClusterRole and its ClusterRoleBinding. They grant create and patch in each API
// group that is not Allowed, so also where nothing is known; if both are Allowed,
// Remedy returns "". Applying it takes nothing away that another remedy granted.
//
// If User is empty, the subject is a placeholder that the API server refuses until
// someone replaces it. Remedy does no I/O and is safe for concurrent use.
func (a Access) Remedy() string {
	groups := a.missing()
	if groups == "" {
		return ""
	}
	name := remedyName(a.User, groups)
	kind, where := "", fmt.Sprintf("namespace %q", a.Namespace)
	metadata := fmt.Sprintf("{name: %q, namespace: %q}", name, a.Namespace)
	if a.Namespace == "" {
		kind, where = "Cluster", "all namespaces"
		metadata = fmt.Sprintf("{name: %q}", name)
	}
	who := fmt.Sprintf("%q", a.User)
	if a.User == "" {
		who = `a component that could not learn its identity (replace the subject, and "subject" in the names)`
	}
	return fmt.Sprintf(manifest, who, where, a.EventsV1, a.CoreV1,
		kind, metadata, groups, name, subject(a.User))
}

// missing lists the API groups to grant, quoted.
func (a Access) missing() string {
	var groups []string
	if a.EventsV1 != Allowed {
		groups = append(groups, fmt.Sprintf("%q", eventsv1.GroupName))
	}
	if a.CoreV1 != Allowed {
		groups = append(groups, fmt.Sprintf("%q", corev1.GroupName))
	}
	return strings.Join(groups, ", ")
}

// subject is the RBAC subject for user, as a YAML flow mapping.
func subject(user string) string {
	if user == "" {
		// Upper case, because no service account may have such a name.
		return `{kind: ServiceAccount, namespace: "REPLACE-WITH-ITS-NAMESPACE", name: "REPLACE-WITH-ITS-NAME"}`
	}
	if namespace, name, ok := serviceAccount(user); ok {
		return fmt.Sprintf("{kind: ServiceAccount, namespace: %q, name: %q}", namespace, name)
	}
	return fmt.Sprintf("{apiGroup: rbac.authorization.k8s.io, kind: User, name: %q}", user)
}

// accountPrefix begins the user name of every service account.
const accountPrefix = "system:serviceaccount:"

// serviceAccount splits the user name that the server gives to a service account.
// A name that only looks like one is a user's.
func serviceAccount(user string) (namespace, name string, ok bool) {
	account, ok := strings.CutPrefix(user, accountPrefix)
	namespace, name, _ = strings.Cut(account, ":")
	return namespace, name, ok &&
		len(validation.IsDNS1123Label(namespace)) == 0 && len(validation.IsDNS1123Subdomain(name)) == 0
}

// maxSlug keeps a name within the 63 bytes of a DNS label, with "eventseries-"
// before it and "-" and 8 digits after it.
const maxSlug = 42

// remedyName is the name of the role and of its binding. The hash makes it differ
// with the groups and the subject: kubectl apply replaces rules and subjects, so a
// remedy for core/v1 under the name of one for events.k8s.io would revoke that one,
// and a second component in the namespace would take the binding of the first.
func remedyName(user, groups string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(user, accountPrefix)), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	slug := strings.Join(words, "-")
	sum := sha256.Sum256([]byte(groups + "\x00" + user))
	return fmt.Sprintf("eventseries-%s-%x", cmp.Or(slug[:min(len(slug), maxSlug)], "subject"), sum[:4])
}
