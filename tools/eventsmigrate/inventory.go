// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// inventory has every place that grants something: the roles in manifests and in Go code, and the kubebuilder markers of modules.
type inventory struct {
	*job
	roles    []*manifest.Role
	modules  []*module          // with markers
	made     map[string]*module // the files that controller-gen makes of markers that change
	files    int                // that were read
	extends  bool               // the markers get the rule
	bindings []manifest.Binding
}

func newInventory(j *job) *inventory { return &inventory{job: j, made: map[string]*module{}} }

// readDir reads the files below a directory that may have roles.
func (i *inventory) readDir(root string, skip func(dir string) bool) error {
	return load.Walk(root, skip, func(name string) error {
		if manifest.Formatted(name) == "" || load.IsTest(name) {
			return nil
		}
		text, err := i.textBefore(name)
		if err == nil {
			i.read(name, text)
		}
		return err
	})
}

// read reads a file that may have roles. A manifest that cannot be parsed and has no role is not for Kubernetes.
func (i *inventory) read(name, text string) {
	file, err := manifest.Read(name, text)
	switch {
	case err == nil:
		i.add(file)
	case manifest.Formatted(name) == manifest.Go, manifest.HasRole(text):
		i.rbac(report.Human, name, 1, "this file has a role, and cannot be parsed: look at its rules yourself: %v", err)
	}
}

func (i *inventory) add(file manifest.File) {
	i.files++
	i.roles = append(i.roles, file.Roles...)
	i.bindings = append(i.bindings, file.Bindings...)
}

// changes reports whether a role of markers changes.
func (i *inventory) changes(role *manifest.Role) bool {
	return slices.ContainsFunc(i.modules, func(mod *module) bool { return mod.role == role && len(mod.changed) > 0 })
}

// settle says what each of the roles needs.
func (i *inventory) settle() error {
	manifest.Bind(i.roles, i.bindings)
	for _, mod := range i.modules {
		if err := i.matchFiles(mod); err != nil {
			return err
		}
	}
	for _, mod := range i.modules {
		i.roles = append(i.roles, mod.role)
	}
	manifest.Settle(i.roles)
	return nil
}

// matchFiles finds the roles that controller-gen made of the markers of a module.
func (i *inventory) matchFiles(mod *module) error {
	for _, role := range i.roles {
		below := strings.HasPrefix(role.File, mod.dir+string(filepath.Separator))
		if role.Format != manifest.YAML || role.File == standardInput || !below {
			continue
		}
		text, err := i.textBefore(role.File)
		if err != nil {
			return err
		}
		if mod.remade(text) != text {
			role.Source, role.Extended = mod.role, i.extends
			i.made[role.File] = mod
		}
	}
	return nil
}

// insert adds the rule to roles. The files may have other edits already.
func (i *inventory) insert(roles []*manifest.Role) error {
	for _, name := range filesOf(roles) {
		before, text, err := i.texts(name)
		if err != nil {
			return err
		}
		file, err := manifest.Read(name, text)
		if err != nil {
			return err
		}
		file.Roles = slices.DeleteFunc(file.Roles, func(now *manifest.Role) bool {
			return !now.Editable() || len(now.Lacks()) == 0 || !slices.ContainsFunc(roles, func(role *manifest.Role) bool {
				return role.File == name && role.String() == now.String()
			})
		})
		i.edit(name, before, manifest.Insert(text, file.Roles))
	}
	return nil
}

// filesOf returns the files of roles, sorted.
func filesOf(roles []*manifest.Role) (names []string) {
	for _, role := range roles {
		names = append(names, role.File)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// located names a role with its place.
func (j *job) located(role *manifest.Role) string {
	return fmt.Sprintf("%s in %s:%d", role, j.slashed(role.File), role.Line)
}

// locatedSome names the first roles with their places, and says how many more there are.
func (j *job) locatedSome(roles []*manifest.Role) string {
	var named []string
	for _, role := range roles {
		named = append(named, j.located(role))
	}
	return joinSome(named)
}

// slashed is the path of a file as reports have it.
func (j *job) slashed(name string) string { return filepath.ToSlash(j.relative(name)) }

// textBefore is the text of a file before the run, and textAfter that as it will be written.
func (j *job) textBefore(name string) (string, error) {
	before, _, err := j.texts(name)
	return before, err
}

func (j *job) textAfter(name string) (string, error) {
	_, after, err := j.texts(name)
	return after, err
}

// skipsInModule reports whether a directory of a module is another module, has what is of others, or is for tests.
func skipsInModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil || skipsDir(dir)
}

// skipsDir reports whether a directory has, by its name, files of other projects, or files for tests.
func skipsDir(dir string) bool {
	return isOfOthers(dir) || slices.Contains([]string{"test", "tests"}, filepath.Base(dir))
}

// isOfOthers reports whether a directory has, by its name, files of other projects, or files that no build has.
func isOfOthers(dir string) bool {
	base := filepath.Base(dir)
	return strings.HasPrefix(base, ".") || slices.Contains([]string{"vendor", "testdata", "third_party", "node_modules"}, base)
}
