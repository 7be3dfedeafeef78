// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Unseen returns the files of the main modules that use the old API and that no package of these builds has: those for
// another system, or behind a tag. They would no longer compile, and nobody would see it.
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
			case entry.IsDir() && name != module.Dir && (passedOver(entry.Name()) || exists(filepath.Join(name, "go.mod"))):
				return filepath.SkipDir
			case !strings.HasSuffix(name, ".go") || entry.IsDir() || passedOver(entry.Name()) || seen(name):
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

// passedOver reports whether the go command takes no notice of files and directories of that name.
func passedOver(name string) bool {
	return name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
