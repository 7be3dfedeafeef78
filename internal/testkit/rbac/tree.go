// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// tree is what a directory tree has to read.
type tree struct {
	kustomizations []string // their directories
	read           map[string]*kustomization
	manifests      []string
	sources        []string // Go files
	modules        []string // directories of Go modules
}

// ignored are directories that hold other projects' files, and a project's own examples of what is wrong.
var ignored = []string{"vendor", "node_modules", "testdata"}

func walk(fsys fs.FS) (*tree, error) {
	t := &tree{read: map[string]*kustomization{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if name != "." && strings.ContainsAny(base[:1], "._") || slices.Contains(ignored, base) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			t.add(fsys, name)
		}
		return nil
	})
	return t, err
}

func (t *tree) add(fsys fs.FS, name string) {
	dir, base := path.Split(name)
	dir = path.Clean(dir)
	switch ext := path.Ext(base); {
	case slices.Contains(kustomizationFiles, base) && !slices.Contains(t.kustomizations, dir):
		k, err := readKustomization(fsys, dir)
		if k != nil || err != nil {
			t.kustomizations, t.read[dir] = append(t.kustomizations, dir), k
		}
	case base == "go.mod":
		t.modules = append(t.modules, dir)
	case ext == ".yaml" || ext == ".yml" || ext == ".json":
		t.manifests = append(t.manifests, name)
	case ext == ".go" && !strings.HasSuffix(base, "_test.go"):
		t.sources = append(t.sources, name)
	}
}

// used returns the directories and files that a kustomization refers to: they are not applied by themselves.
func (t *tree) used() map[string]bool {
	used := map[string]bool{}
	for dir, k := range t.read {
		if k == nil {
			continue
		}
		for _, part := range k.parts() {
			if name := path.Join(dir, part); name != dir {
				used[name] = true
			}
		}
	}
	return used
}

// nested reports whether name belongs to a Go module within another one: it is another program's.
func (t *tree) nested(name string) bool {
	above := 0
	for _, dir := range t.modules {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			above++
		}
	}
	return above > 1
}
