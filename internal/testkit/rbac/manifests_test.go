// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	const list = `{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "rules": "none"},
		{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "a"}}]}`
	for _, r := range []struct{ name, text, want string }{
		{"two documents", role("shop", "a") + "--- # the next\n" + role("", "b"), "Role a (a.yaml), ClusterRole b (a.yaml)"},
		{"carriage returns", strings.ReplaceAll(role("shop", "a"), "\n", "\r\n"), "Role a (a.yaml)"},
		{"several files", role("shop", "a") + "\n-- x/b.yml --\n" + role("", "b") + "\n-- c.json --\n" + list,
			"Role a (a.yaml), Role a (c.json), ClusterRole b (x/b.yml)"},
		{"other YAML may be broken", role("", "b") + "\n-- b.yaml --\na: b: c\n", "ClusterRole b (a.yaml)"},
		{"hidden directories are not read", role("", "b") + "\n-- .github/b.yaml --\n{{ }} " + api, "ClusterRole b (a.yaml)"},
		{"no object", "- x\n" + role("", "b"), "ClusterRole b (a.yaml)"},
		{"an old version", strings.ReplaceAll(role("", "a"), "io/v1", "io/v1beta1"), "ClusterRole a (a.yaml)"},
		{"braces in a comment", "# {{ rendered }}\n" + role("", "a"), "ClusterRole a (a.yaml)"},
		{"braces in another object", "kind: ConfigMap\ndata: {a: '{{ b }}'}\n" + role("", "a"), "ClusterRole a (a.yaml)"},
	} {
		t.Run(r.name, func(t *testing.T) {
			var got []string
			for _, o := range read(t, r.text) {
				if o.file != "" {
					got = append(got, o.String())
				}
			}
			if got := strings.Join(got, ", "); got != r.want {
				t.Errorf("got %s, want %s", got, r.want)
			}
		})
	}
}

// Each error says what to do. Caught: a template that is valid YAML because its names are quoted.
func TestReadErrors(t *testing.T) {
	const helm = "is a template: render its chart, as with\n    helm template ./charts/a > rendered/manifests.yaml\n"
	plain := role("", "a")
	for _, r := range []struct{ name, file, text, want string }{
		{"a template that is no YAML", "charts/a/templates/r.yaml", "{{- if .Values.rbac }}\n" + plain + "{{ end }}\n", helm},
		{"a template's condition", "charts/a/templates/rbac/r.yaml", "{{ if .Values.rbac }}\n---\n" + plain, helm},
		{"a template's name", "charts/a/templates/r.yaml", plain + role("", "{{ .Release.Name }}-b"), helm},
		{"a template's subject", "charts/a/templates/r.yaml", bind("", "b", "ClusterRole", "a", `x/"{{ x }}"`), helm},
		{"a kustomization", "config/default/kustomization.yaml", "resources: []", "config/default/kustomization.yaml is a " +
			"kustomization: render the one that is applied, as with\n    kustomize build DIRECTORY > rendered/manifests.yaml\n"},
		{"its third name", "Kustomization", "", "Kustomization is a kustomization: render"},
		{"no RBAC", "a.yaml", "kind: ConfigMap\n", "there is no RBAC in *.yaml, *.yml and *.json files: " +
			"pass a directory with what kustomize build, helm template or controller-gen prints"},
		{"no YAML", "r.yaml", api + "kind: Role\n  metadata: {}\n", "r.yaml: error converting YAML to JSON: yaml: line 3"},
		{"a string for a list", "r.yaml", plain + "- {apiGroups: \"\"}\n", "r.yaml: ClusterRole a: json: cannot unmarshal string"},
	} {
		t.Run(r.name, func(t *testing.T) {
			_, err := Read(fstest.MapFS{r.file: {Data: []byte(r.text)}})
			if err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("got %v, want %s", err, r.want)
			}
		})
	}
}

const api = "apiVersion: rbac.authorization.k8s.io/v1\n"

// nowhere is the namespace of a Role that does not say its namespace.
const nowhere = "-"

// role, bind and rule return YAML. role returns a Role if namespace is set, and a ClusterRole
// otherwise.
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

// files returns a file system with text in a file a.yaml, or with the files that begin at the lines
// "-- name --" of text.
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
