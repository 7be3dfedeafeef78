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

// module has the kubebuilder markers of a Go module.
type module struct {
	dir     string
	role    *manifest.Role    // what they grant
	were    []manifest.Marker // before the run
	before  []manifest.Marker // the same ones behind the other edits
	after   []manifest.Marker // with the rule
	changed []int             // the indices of those that change
}

// readMarkers reads the markers of a module. They get the rule where reached returns true for the file.
func (i *inventory) readMarkers(dir string, reached func(file string) bool) error {
	mod := &module{dir: dir}
	err := load.Walk(dir, skipsInModule, func(name string) error {
		if !strings.HasSuffix(name, ".go") || load.IsTest(name) {
			return nil
		}
		before, after, err := i.texts(name)
		if err == nil && strings.Contains(before, "+kubebuilder:rbac:") {
			mod.were = append(mod.were, manifest.Markers(name, before)...)
			mod.before = append(mod.before, manifest.Markers(name, after)...)
		}
		return err
	})
	if err != nil || len(mod.before) == 0 {
		return err
	}
	mod.role = manifest.RoleOf(mod.were)
	mod.after, mod.changed = manifest.Extended(mod.before, reached)
	i.modules = append(i.modules, mod)
	return nil
}

// first is the first marker that changes.
func (m *module) first() manifest.Marker { return m.were[m.changed[0]] }

// files are those of the markers that change.
func (m *module) files() (names []string) {
	for _, at := range m.changed {
		names = append(names, m.before[at].File)
	}
	return slices.Compact(names)
}

// remade returns the text of a file after the roles in it are made of the markers as they become, if they were made of them.
// controller-gen may have been given any directory above one that changes.
func (m *module) remade(text string) string {
	var dirs []string
	for _, name := range m.files() {
		for dir := filepath.Dir(name); len(dir) >= len(m.dir); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		elsewhere := func(marker manifest.Marker) bool {
			return !strings.HasPrefix(marker.File, dir+string(filepath.Separator))
		}
		text = manifest.Regenerated(text, slices.DeleteFunc(slices.Clone(m.before), elsewhere),
			slices.DeleteFunc(slices.Clone(m.after), elsewhere))
	}
	return text
}

// editMarkers edits markers, and the files that controller-gen makes of them.
func (i *inventory) editMarkers() error {
	for _, mod := range i.modules {
		for _, at := range mod.changed {
			message := "this marker grants Events of core/v1, and now those of events.k8s.io"
			if group, verbs := mod.were[at].Granted(); len(verbs) == 1 {
				message = fmt.Sprintf("this marker grants only %s on Events of %s; a marker of its own grants both create and patch for "+
					"events.k8s.io, because a recorder patches an Event to count its repeats", verbs[0], group)
			}
			i.rbac(report.Rewritten, mod.were[at].File, mod.were[at].Line, "%s", message)
		}
		for _, name := range mod.files() {
			before, text, err := i.texts(name)
			if err != nil {
				return err
			}
			i.edit(name, before, manifest.Edit(text, mod.changedIn(name)))
		}
	}
	for _, name := range filesOf(i.roles) {
		mod := i.made[name]
		if mod == nil {
			continue
		}
		before, text, err := i.texts(name)
		if err != nil {
			return err
		}
		i.rbac(report.Rewritten, name, 0, "gets what controller-gen makes of the markers that change")
		i.edit(name, before, mod.remade(text))
	}
	return nil
}

// changedIn returns the markers of a file that change.
func (m *module) changedIn(name string) (changed []manifest.Marker) {
	for _, at := range m.changed {
		if m.after[at].File == name {
			changed = append(changed, m.after[at])
		}
	}
	return changed
}

// moduleOf returns the directory of the module that a file is in, or "". Standard input is in none.
func moduleOf(name string) string {
	if name == standardInput {
		return ""
	}
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
