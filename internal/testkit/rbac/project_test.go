// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// project makes files of text: each begins with a line "-- name --".
func project(text string) fstest.MapFS {
	files := fstest.MapFS{}
	var file *fstest.MapFile
	for line := range strings.Lines(text) {
		if name, found := strings.CutPrefix(line, "-- "); found {
			file = &fstest.MapFile{}
			files[strings.TrimSuffix(strings.TrimSpace(name), " --")] = file
		} else if file != nil {
			file.Data = append(file.Data, line...)
		}
	}
	return files
}

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
		strings.TrimPrefix(namespace, nowhere)) +
		strings.Join(rules, "")
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

func read(t *testing.T, files fstest.MapFS, options Options) *Manifests {
	t.Helper()
	m, err := Read(files, options)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// verify returns the problems of a project, without indentation.
func verify(t *testing.T, text string, options Options, needs ...Access) string {
	t.Helper()
	return strings.Join(read(t, project(text), options).Verify(needs), "\n")
}

// contains checks that text has all of want, in this order.
func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	rest := text
	for _, one := range want {
		_, after, found := strings.Cut(rest, one)
		if !found {
			t.Fatalf("got %s\n\nwant it to say, in this place: %s", text, one)
		}
		rest = after
	}
}
