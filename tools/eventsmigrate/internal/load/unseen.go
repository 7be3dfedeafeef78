// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Unseen returns the files of the main modules that use the old API and are in none of these builds, because they are
// for another system or behind a tag. They may no longer compile after the edits, and no check would show it.
func (p *Project) Unseen(scopes []*Scope) ([]string, error) {
	seen := func(name string) bool {
		return slices.ContainsFunc(scopes, func(scope *Scope) bool { return scope.seen[name] })
	}
	var unseen []string
	for _, module := range p.Modules {
		err := filepath.WalkDir(module.Dir, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name != module.Dir && (ignored(entry.Name()) || exists(filepath.Join(name, "go.mod"))):
				return filepath.SkipDir
			case !strings.HasSuffix(name, ".go") || entry.IsDir() || ignored(entry.Name()) || seen(name):
				return nil
			case mention([]string{name}, old):
				unseen = append(unseen, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(unseen)
	return slices.Compact(unseen), nil
}

// ignored reports whether the go command ignores files and directories of that name.
func ignored(name string) bool {
	return name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
