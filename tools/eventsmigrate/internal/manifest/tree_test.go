// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// Which files are looked at.
// Caught: a nested module, or a chart's files of another directory, that are not told apart.
func TestTree(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{
		"go.mod", "a.go", "a_test.go", "a/b.go", "README.md", "config/Kustomization", "config/role.yaml", "x.json",
		"charts/a/Chart.yaml", "charts/a/values.yaml", "charts/a/templates/deep/t.tpl", "charts/a/crds/c.yml",
		"vendor/v.yaml", "node_modules/n.yaml", "a/testdata/t.yaml", "bin/b.yaml", ".github/w.yaml", "_out/o.yaml",
		"nested/go.mod", "nested/n.go", "nested/role.yaml", "templates/t.yaml", "third_party/r.yaml",
	} {
		files[name] = &fstest.MapFile{}
	}
	files["link.yaml"] = &fstest.MapFile{Data: []byte("x.json"), Mode: fs.ModeSymlink}
	got, err := walk(files)
	if err != nil {
		t.Fatal(err)
	}
	want := &tree{
		sources: map[string][]string{".": {"a.go"}, "a": {"a/b.go"}},
		manifests: []string{
			"charts/a/Chart.yaml", "charts/a/crds/c.yml", "charts/a/templates/deep/t.tpl", "charts/a/values.yaml",
			"config/Kustomization", "config/role.yaml", "templates/t.yaml", "x.json",
		},
		kustomizations: []string{"config/Kustomization"},
		charts:         map[string]bool{"charts/a": true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(tree{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var templates []string
	for _, name := range got.manifests {
		if got.template(name) {
			templates = append(templates, name)
		}
	}
	if diff := cmp.Diff([]string{"charts/a/templates/deep/t.tpl"}, templates); diff != "" {
		t.Errorf("templates (-want +got)\n%s", diff)
	}
}

// closed is a tree with a file that cannot be read.
type closed struct{ fstest.MapFS }

func (c closed) Open(name string) (fs.File, error) {
	if name == "closed.yaml" || name == "absent" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

func (c closed) ReadFile(name string) ([]byte, error) {
	if name == "closed.yaml" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadFile(name)
}

// A file that cannot be read is a finding, and the others are edited. A root that is not there is an error.
// Caught: an error that ends the plan; a root's error that is left out.
func TestUnreadable(t *testing.T) {
	role := roleHead + "- {apiGroups: [''], resources: [events], verbs: ['*']}\n"
	got, err := Plan(closed{fstest.MapFS{"closed.yaml": {}, "open.yaml": {Data: []byte(role)}}}, Facts{})
	if err != nil || len(got.Edits) != 1 {
		t.Fatalf("%v, %d edits", err, len(got.Edits))
	}
	want := Finding{
		Path:    "closed.yaml",
		Message: "cannot be read, so its RBAC is not migrated: open closed.yaml: permission denied",
	}
	if diff := cmp.Diff(want, got.Findings[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	absent, err := fs.Sub(closed{fstest.MapFS{}}, "absent")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Plan(absent, Facts{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent root: %v", err)
	}
}
