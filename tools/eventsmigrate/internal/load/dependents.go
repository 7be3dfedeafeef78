// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Dependent is a module of the same repository whose go.mod replaces a main module by its directory. So it is built with
// what is written there, and no check of the run sees it.
type Dependent struct {
	GoMod    string
	Line     int    // of the replace directive
	Replaces Module // the main module
	Old      bool   // it uses the old API
	Records  bool   // it calls methods that record
}

// Dependents finds the go.mod files of the repository that replace a main module. Without a repository it looks below the
// main modules only.
func (p *Project) Dependents() ([]Dependent, error) {
	roots := map[string]bool{}
	for _, module := range p.Modules {
		roots[repository(module.Dir)] = true
	}
	var found []Dependent
	for root := range roots {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name != root && ignored(entry.Name()):
				return filepath.SkipDir
			case entry.Name() == "go.mod" && !entry.IsDir():
				found = append(found, p.dependent(name)...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// repository is the directory above that has a .git, or the directory itself.
func repository(dir string) string {
	for above := dir; ; above = filepath.Dir(above) {
		if exists(filepath.Join(above, ".git")) {
			return above
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
}

// dependent returns one Dependent for each main module that a go.mod replaces. A file that cannot be read or parsed is none.
func (p *Project) dependent(goMod string) []Dependent {
	file, err := readModule(goMod)
	if err != nil {
		return nil
	}
	var found []Dependent
	for _, module := range p.Modules {
		if module.GoMod == goMod {
			return nil
		}
		for _, replace := range file.Replace {
			if replace.Old.Path == module.Path && replacement(goMod, replace) == module.Dir {
				found = append(found, Dependent{GoMod: goMod, Line: replace.Syntax.Start.Line, Replaces: module})
			}
		}
	}
	if len(found) > 0 {
		files := goFiles(filepath.Dir(goMod))
		for i := range found {
			found[i].Old, found[i].Records = mention(files, old), mention(files, recording)
		}
	}
	return found
}

// replacement is the directory that a replace directive names, or "".
func replacement(goMod string, replace *modfile.Replace) string {
	switch dir := filepath.FromSlash(replace.New.Path); {
	case replace.New.Version != "":
		return ""
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	default:
		return filepath.Join(filepath.Dir(goMod), dir)
	}
}

// goFiles are the Go files of the module in a directory. What cannot be read has none.
func goFiles(dir string) []string {
	var files []string
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && name != dir && (ignored(entry.Name()) || exists(filepath.Join(name, "go.mod"))):
			return filepath.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ".go") && !ignored(entry.Name()):
			files = append(files, name)
		}
		return nil
	})
	return files
}
