// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

const api = "apiVersion: rbac.authorization.k8s.io/v1\n"

// nowhere is the namespace of a Role that does not say its own.
const nowhere = "-"

// role, bind and rule write YAML. A namespace makes a Role of a ClusterRole.
func role(namespace, name string, rules ...string) string {
	kind := "Role"
	if namespace == "" {
		kind = "ClusterRole"
	}
	return "---\n" + api + fmt.Sprintf("kind: %s\nmetadata: {name: %q, namespace: %q}\nrules:\n", kind, name,
		strings.TrimPrefix(namespace, nowhere)) + strings.Join(rules, "")
}

func rule(group string, verbs ...string) string {
	return fmt.Sprintf("- {apiGroups: [%q], resources: [events], verbs: ['%s']}\n", group, strings.Join(verbs, "', '"))
}

func bind(namespace, name, roleKind, roleName, account string) string {
	kind := "RoleBinding"
	if namespace == "" {
		kind = "ClusterRoleBinding"
	}
	in, of, _ := strings.Cut(account, "/")
	return "---\n" + api + fmt.Sprintf("kind: %s\nmetadata: {name: %s, namespace: %q}\n", kind, name, namespace) +
		fmt.Sprintf("roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: %s}\n", roleKind, roleName) +
		fmt.Sprintf("subjects: [{kind: ServiceAccount, namespace: %s, name: %s}]\n", in, of)
}

const eventsGroup = "events.k8s.io"

var (
	v1Everywhere = Access{Group: eventsGroup}
	v1InShop     = Access{Group: eventsGroup, Namespace: "shop"}
	coreInShop   = Access{Namespace: "shop"}
)

// files makes a file a.yaml of text, or the files that text begins with lines "-- name --".
func files(text string) fstest.MapFS {
	all := fstest.MapFS{}
	for part := range strings.SplitSeq("-- a.yaml --\n"+text, "\n-- ") {
		name, content, _ := strings.Cut(strings.TrimPrefix(part, "-- "), " --\n")
		all[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return all
}

func read(t *testing.T, text string) Manifests {
	t.Helper()
	m, err := Read(files(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
