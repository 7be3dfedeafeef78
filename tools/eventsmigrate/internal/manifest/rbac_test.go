// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	texttemplate "text/template"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

// policy is a rule as a cluster would decode it. Nothing here is shared with the code under test.
type policy struct {
	Groups    []string `yaml:"apiGroups"`
	Resources []string `yaml:"resources"`
	Names     []string `yaml:"resourceNames"`
	Verbs     []string `yaml:"verbs"`
}

// policies returns the rules of all roles in text, which must be YAML, by the role's place.
func policies(t testing.TB, text string) [][]policy {
	t.Helper()
	var all [][]policy
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var body any
		if err := decoder.Decode(&body); err != nil {
			if body == nil && err.Error() == "EOF" {
				return all
			}
			t.Fatalf("%v in\n%s", err, text)
		}
		all = append(all, rolesIn(t, body)...)
	}
}

func rolesIn(t testing.TB, body any) (all [][]policy) {
	switch body := body.(type) {
	case []any:
		for _, item := range body {
			all = append(all, rolesIn(t, item)...)
		}
	case map[string]any:
		if list, ok := body["rules"].([]any); ok {
			text, err := yaml.Marshal(list)
			var rules []policy
			if err == nil {
				err = yaml.Unmarshal(text, &rules)
			}
			if err != nil {
				t.Fatal(err)
			}
			return [][]policy{rules}
		}
		for _, key := range []string{"items", "objects", "spec", "install", "permissions", "clusterPermissions"} {
			all = append(all, rolesIn(t, body[key])...)
		}
	}
	return all
}

// can reports whether rules allow verb on Events of group.
func can(rules []policy, group, verb string) bool {
	has := func(list []string, value string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, value)
	}
	return slices.ContainsFunc(rules, func(r policy) bool {
		return has(r.Groups, group) && has(r.Resources, "events") && has(r.Verbs, verb) && len(r.Names) == 0
	})
}

// without returns rules without what is granted for events.k8s.io alone, and without that group.
func without(rules []policy) []policy {
	var all []policy
	for _, r := range rules {
		groups := slices.DeleteFunc(slices.Clone(r.Groups), func(group string) bool { return group == "events.k8s.io" })
		if len(groups) > 0 || len(r.Groups) == 0 {
			r.Groups = groups
			all = append(all, r)
		}
	}
	return all
}

// migrated checks that whoever may record through core/v1 may do so through events.k8s.io, and that nothing else is
// different.
func migrated(t testing.TB, before, after string) {
	t.Helper()
	was, is := policies(t, before), policies(t, after)
	if len(was) != len(is) || len(is) == 0 {
		t.Fatalf("%d roles, were %d", len(is), len(was))
	}
	for i := range is {
		if diff := cmp.Diff(without(was[i]), without(is[i])); diff != "" {
			t.Errorf("role %d: more than events.k8s.io differs (-before +after)\n%s", i, diff)
		}
		records := can(is[i], "", "create") || can(is[i], "", "patch")
		if records && !(can(is[i], "events.k8s.io", "create") && can(is[i], "events.k8s.io", "patch")) {
			t.Errorf("role %d still cannot record through events.k8s.io: %v", i, is[i])
		}
	}
}

// edits are those of a golden, which are not empty.
func edits(t *testing.T, name string) []Edit {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, files, facts := module(t, archive)
	found := plan(t, files, facts).Edits
	if len(found) == 0 {
		t.Fatalf("no edits in %s", name)
	}
	return found
}

// The YAML of the goldens, decoded.
// Caught: a rule for create alone that is extended; a role without patch that passes for migrated.
func TestRolesAllowBoth(t *testing.T) {
	for _, name := range []string{"style", "grants"} {
		for _, e := range edits(t, name) {
			t.Run(name+"/"+e.Path, func(t *testing.T) { migrated(t, string(e.Before), string(e.After)) })
		}
	}
}

// The chart of the goldens, rendered with values that take each way through it.
// Caught: a rule added behind {{ end }}; a rule or an item of another block that counts as there; a rule extended whose
// patch is only there by choice.
func TestChartsAllowBoth(t *testing.T) {
	switches := []string{"clusterWide", "annotations", "events", "more", "update", "get", "apps", "patch", "newEvents"}
	for _, e := range edits(t, "helm") {
		name, found := strings.CutPrefix(e.Path, "charts/shop/templates/")
		if !found || !strings.HasSuffix(name, ".yaml") {
			continue
		}
		for bits := range 1 << len(switches) {
			values := map[string]any{"rbac": map[string]any{"create": true}, "namespaces": []string{"a", "b"}}
			for i, key := range switches {
				values[key] = bits&(1<<i) != 0
			}
			migrated(t, render(t, string(e.Before), values), render(t, string(e.After), values))
			if t.Failed() {
				t.Fatalf("%s with %v", name, values)
			}
		}
	}
}

func render(t *testing.T, text string, values map[string]any) string {
	functions := texttemplate.FuncMap{
		"include": func(name string, _ any) string {
			return map[string]string{
				"shop.apiVersion": "rbac.authorization.k8s.io/v1", "verbs": "\n  - update", "groups": "\n  - batch",
			}[name]
		},
		"dict":    func(...any) any { return nil },
		"nindent": func(_ int, text string) string { return text },
		"toYaml":  func(any) string { return "{}" },
		"trim":    strings.TrimSpace,
	}
	parsed, err := texttemplate.New("t").Funcs(functions).Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	name := map[string]any{"Name": "r"}
	data := map[string]any{"Values": values, "Release": name, "Chart": name}
	if err := parsed.Execute(&out, data); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
