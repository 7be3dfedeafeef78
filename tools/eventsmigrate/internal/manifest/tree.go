// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// tree is what a directory tree has to look at, in lexical order.
type tree struct {
	sources        map[string][]string // Go files, by package directory
	manifests      []string
	kustomizations []string
	charts         map[string]bool // directories that hold a Chart.yaml
}

// ignored are directories that hold what others wrote, or what was built. A test's data are inputs and expectations:
// changing them would change what the test says, and nothing applies them to a cluster.
var ignored = []string{"vendor", "node_modules", "third_party", "testdata", "bin"}

// walk lists the files under root. Directories with a name that Go leaves out are left out, too, and so are nested
// modules: each is migrated by a run of its own.
func walk(root fs.FS) (*tree, error) {
	t := &tree{sources: map[string][]string{}, charts: map[string]bool{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // of a directory that is closed to us, nothing was compiled either
		case d.IsDir() && name != "." && skipped(root, name):
			return fs.SkipDir
		case d.Type().IsRegular():
			t.add(name)
		}
		return nil
	})
	return t, err
}

func skipped(root fs.FS, dir string) bool {
	base := path.Base(dir)
	if strings.ContainsAny(base[:1], "._") || slices.Contains(ignored, base) {
		return true
	}
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil
}

func (t *tree) add(name string) {
	dir, base := path.Dir(name), path.Base(name)
	switch path.Ext(base) {
	case ".go":
		if !strings.HasSuffix(base, "_test.go") {
			t.sources[dir] = append(t.sources[dir], name)
		}
		return
	case ".yaml", ".yml", ".json", ".tpl", ".tmpl":
		t.manifests = append(t.manifests, name)
	}
	switch base {
	case "Chart.yaml":
		t.charts[dir] = true
	case "kustomization.yaml", "kustomization.yml":
		t.kustomizations = append(t.kustomizations, name)
	case "Kustomization":
		t.kustomizations = append(t.kustomizations, name)
		t.manifests = append(t.manifests, name)
	}
}

func (t *tree) packages() []string { return slices.Sorted(maps.Keys(t.sources)) }

// template reports whether Helm renders the file.
func (t *tree) template(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if path.Base(dir) == "templates" && t.charts[path.Dir(dir)] {
			return true
		}
	}
	return false
}

func (t *tree) has(name string) bool { return slices.Contains(t.manifests, name) }
