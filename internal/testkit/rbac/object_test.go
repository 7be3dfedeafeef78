// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// kinds says what decode finds, as in: Role shop/a@3.
func kinds(objects []*object) string {
	var all []string
	for _, o := range objects {
		name := o.Metadata.Name
		if o.Metadata.Namespace != "" {
			name = o.Metadata.Namespace + "/" + name
		}
		all = append(all, o.Kind+" "+name)
	}
	return strings.Join(all, ", ")
}

func TestDecode(t *testing.T) {
	const list = `{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "rules": "none"},
		{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleList", "items": [{"metadata": {"name": "a"}}]}]}`
	for _, r := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"two documents", role("shop", "a") + "--- # the next\n" + role("", "b"), "Role shop/a, ClusterRole b"},
		{"no kubernetes", "- rbac.authorization.k8s.io\n", ""},
		{"a scalar", "rbac.authorization.k8s.io", ""},
		{"a list of lists, one without kinds", list, "Role a"},
		{"carriage returns", strings.ReplaceAll(role("shop", "a")+role("", "b"), "\n", "\r\n"),
			"Role shop/a, ClusterRole b"},
		{"another API's Role", strings.ReplaceAll(role("", "a"), "rbac.auth", "x.rbac.auth"), ""},
		{"an account", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n", "ServiceAccount a"},
		{"what is no RBAC may be broken", "a: b: c\n" + role("", "b"), "ClusterRole b"},
		{"an old version", strings.ReplaceAll(role("", "a"), "io/v1", "io/v1beta1"), "ClusterRole a"},
	} {
		t.Run(r.name, func(t *testing.T) {
			objects, err := decode("a.yaml", r.text)
			if got := kinds(objects); err != nil || got != r.want {
				t.Errorf("got %s, %v; want %s", got, err, r.want)
			}
		})
	}
}

// Caught: a line counted from the document's beginning.
func TestDecodeErrorsHaveALine(t *testing.T) {
	for _, r := range []struct{ name, text, want string }{
		{
			"no YAML", "# who\n" + role("", "a") + "---\n" + api + "kind: Role\n  metadata: {}\n",
			"r.yaml:10: mapping values are not allowed in this context",
		},
		{
			"a string for a list", "\n\n# who\n" + role("", "a") + "- {apiGroups: \"\"}\n",
			"r.yaml:5: ClusterRole a: apiGroups: string in place of a list",
		},
		{"a boolean for a name", strings.ReplaceAll(role("", "x"), `"x"`, "n"),
			"r.yaml:2: ClusterRole : name: bool in place of a string"},
		{"a list for labels", api + "kind: Role\nmetadata: {labels: []}\n",
			"r.yaml:1: Role : labels: array in place of a mapping"},
	} {
		t.Run(r.name, func(t *testing.T) {
			if _, err := decode("r.yaml", r.text); err == nil || err.Error() != r.want {
				t.Errorf("got  %v\nwant %s", err, r.want)
			}
		})
	}
}

// Caught: a template whose names are quoted, so that it is YAML.
func TestTemplates(t *testing.T) {
	plain := role("", "a")
	for name, text := range map[string]string{
		"no YAML":       "{{- if .Values.rbac }}\n" + plain + "{{ end }}\n",
		"a condition":   "{{ if .Values.rbac }}\n" + plain,
		"a name":        plain + role("", "{{ .Release.Name }}-b"),
		"a subject":     bind("", "b", "ClusterRole", "a", `x/"{{ x }}"`),
		"what is bound": bind("", "b", "ClusterRole", `"{{ x }}"`, "x/y"),
	} {
		if objects, err := decode("a.yaml", text); !errors.Is(err, errTemplate) || len(objects) > 0 {
			t.Errorf("%s: got %s, %v; want %v", name, kinds(objects), err, errTemplate)
		}
	}
	for name, text := range map[string]string{
		"a comment":     "# {{ not a template }}\n" + plain,
		"another thing": "kind: ConfigMap\ndata: {a: '{{ b }}'}\n" + plain,
	} {
		if objects, err := decode("a.yaml", text); len(objects) != 1 || err != nil {
			t.Errorf("%s: %s, %v", name, kinds(objects), err)
		}
	}
}

// A marker counts as the role that controller-gen makes of it alone.
func TestMarkers(t *testing.T) {
	const text = "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n" +
		"// +kubebuilder:rbac:urls=/c,verbs=get,namespace=shop\n\nfunc {"
	objects, err := markers("p.go", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range objects {
		got = append(got, fmt.Sprint(o, " ", o.Kind, " ", o.Metadata.Namespace, o.Rules))
	}
	want := []string{
		"the marker at p.go:3 ClusterRole [{[get] [a] [b] [] []}]", "the marker at p.go:4 Role shop[{[get] [] [] [] [/c]}]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for arguments, want := range map[string]string{
		"groups=a":         "no verbs",
		"groups,verbs=get": "no verbs",
		"verbs={get":       "no closing brace",
	} {
		_, err := markers("p.go", "package p\n\n// +kubebuilder:rbac:"+arguments)
		if want := "p.go:3: marker +kubebuilder:rbac:" + arguments + ": " + want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
