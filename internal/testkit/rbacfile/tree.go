// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Tree lists the files of a project that may hold RBAC, in lexical order.
type Tree struct {
	GoFiles        []string // without tests
	Manifests      []string // YAML, JSON and templates of them; the kustomizations are among them
	Kustomizations []string
	Modules        []string // directories with a go.mod
	Unread         []error  // about directories that cannot be listed
}

// ignored are directories with files of other projects, and with a project's examples of what is wrong.
var ignored = []string{"vendor", "node_modules", "testdata"}

// Walk lists the files of fsys. It leaves out hidden directories, vendor, node_modules and testdata, and whatever skip
// reports true for. The error is about the root.
func Walk(fsys fs.FS, skip func(name string, d fs.DirEntry) bool) (*Tree, error) {
	t := &Tree{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			t.Unread = append(t.Unread, err)
		case name == ".":
		case d.IsDir() && (Hidden(name) || slices.Contains(ignored, path.Base(name)) || skip(name, d)):
			return fs.SkipDir
		case !d.IsDir() && !skip(name, d):
			t.add(name)
		}
		return nil
	})
	return t, err
}

func (t *Tree) add(name string) {
	dir, base := path.Dir(name), path.Base(name)
	switch path.Ext(base) {
	case ".go":
		if !strings.HasSuffix(base, "_test.go") && !Hidden(name) {
			t.GoFiles = append(t.GoFiles, name)
		}
	case ".yaml", ".yml", ".json", ".tpl", ".tmpl":
		t.Manifests = append(t.Manifests, name)
	}
	switch base {
	case "go.mod":
		t.Modules = append(t.Modules, dir)
	case "kustomization.yaml", "kustomization.yml":
		t.Kustomizations = append(t.Kustomizations, name)
	case "Kustomization":
		t.Kustomizations = append(t.Kustomizations, name)
		t.Manifests = append(t.Manifests, name)
	}
}

// Hidden reports whether the go command leaves out files and directories of this name.
func Hidden(name string) bool { return strings.ContainsAny(path.Base(name)[:1], "._") }

// InNestedModule reports whether name belongs to a Go module within another one.
func (t *Tree) InNestedModule(name string) bool {
	above := 0
	for _, dir := range t.Modules {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			above++
		}
	}
	return above > 1
}
