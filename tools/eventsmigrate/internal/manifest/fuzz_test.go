// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

// Whatever a file holds, a plan ends, inserts only, and leaves nothing to do for the next; and what was YAML before is
// so after, with nothing changed in it but access to events.k8s.io.
// Caught: a rule added behind {{ end }}, in a template action, or to one that has no patch; a second marker for a role.
func FuzzPlan(f *testing.F) {
	archives := []string{"style", "grants", "nested", "helm", "unclear", "kustomize", "markers"}
	for _, name := range archives {
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Add("#{{\n" + roleHead + "- {apiGroups: [''], resources: [events], verbs: ['*']}\n...\nx: }}\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"r.yaml", "chart/templates/r.yaml", "r.go", "kustomization.yaml"} {
			files := fstest.MapFS{"chart/Chart.yaml": {}, name: {Data: []byte(text)}}
			got := plan(t, files, Facts{})
			sound(t, files, Facts{}, got)
			for _, e := range got.Edits {
				before, ok := decodeAll(text)
				if !ok || strings.HasSuffix(name, ".go") {
					continue
				}
				after, ok := decodeAll(string(e.After))
				if diff := cmp.Diff(stripped(before), stripped(after)); diff != "" || !ok {
					t.Errorf("%s: decoded: %v (-before +after)\n%s\n%s", name, ok, diff, e.After)
				}
			}
		}
	})
}

// decodeAll decodes the documents of text.
func decodeAll(text string) (all []any, ok bool) {
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var body any
		switch err := decoder.Decode(&body); {
		case errors.Is(err, io.EOF):
			return all, true
		case err != nil:
			return all, false
		}
		all = append(all, body)
	}
}

// stripped is value without events.k8s.io in any list, and without rules for nothing else.
func stripped(value any) any {
	switch value := value.(type) {
	case []any:
		kept := []any{}
		for _, item := range value {
			if rule, ok := item.(map[string]any); ok && cmp.Equal(rule["apiGroups"], []any{newGroup}) {
				continue
			}
			if item != newGroup {
				kept = append(kept, stripped(item))
			}
		}
		return kept
	case map[string]any:
		kept := map[string]any{}
		for key, item := range value {
			kept[key] = stripped(item)
		}
		return kept
	}
	return value
}
