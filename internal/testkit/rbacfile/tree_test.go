// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"io/fs"
	"path"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// Which files are looked at.
// Caught: a nested module that is not told apart.
func TestTree(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{
		"go.mod", "a.go", "a_test.go", "_a.go", "a/b.go", "README.md", "config/Kustomization", "config/role.yaml",
		"x.json", "charts/a/Chart.yaml", "charts/a/values.yaml", "charts/a/templates/deep/t.tpl", "charts/a/crds/c.yml",
		"vendor/v.yaml", "node_modules/n.yaml", "a/testdata/t.yaml", "bin/b.yaml", ".github/w.yaml", "_out/o.yaml",
		"nested/go.mod", "nested/n.go", "nested/role.yaml", "templates/t.yaml", "skipped/r.yaml", "skipped.yaml",
	} {
		files[name] = &fstest.MapFile{}
	}
	got, err := Walk(files, func(name string, _ fs.DirEntry) bool { return path.Base(name)[:1] == "s" })
	if err != nil {
		t.Fatal(err)
	}
	want := &Tree{
		GoFiles: []string{"a/b.go", "a.go", "nested/n.go"},
		Manifests: []string{
			"bin/b.yaml", "charts/a/Chart.yaml", "charts/a/crds/c.yml", "charts/a/templates/deep/t.tpl",
			"charts/a/values.yaml", "config/Kustomization", "config/role.yaml", "nested/role.yaml", "templates/t.yaml",
			"x.json",
		},
		Kustomizations: []string{"config/Kustomization"},
		Modules:        []string{".", "nested"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	nested := slices.DeleteFunc(got.GoFiles, func(name string) bool { return !got.InNestedModule(name) })
	if diff := cmp.Diff([]string{"nested/n.go"}, nested); diff != "" {
		t.Errorf("in nested modules (-want +got)\n%s", diff)
	}
}

// closed is a tree with a directory that cannot be listed.
type closed struct {
	fstest.MapFS
	name string
}

func (c closed) Open(name string) (fs.File, error) {
	if name == c.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

func (c closed) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == c.name {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadDir(name)
}

// Caught: an error that ends the walk; a root's error that is left out.
func TestClosedDirectories(t *testing.T) {
	files := fstest.MapFS{"closed/r.yaml": {}, "open.yaml": {}}
	keep := func(string, fs.DirEntry) bool { return false }
	got, err := Walk(closed{files, "closed"}, keep)
	if err != nil || len(got.Unread) != 1 || !slices.Equal(got.Manifests, []string{"open.yaml"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Walk(closed{files, "."}, keep); err == nil {
		t.Error("the root cannot be listed, and there is no error")
	}
}
