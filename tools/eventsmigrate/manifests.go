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

// manifests plans RBAC, with the code as rewritten: kubebuilder markers and the YAML that controller-gen makes of them.
// About other roles it asks.
func (m *migration) manifests(facts *facts) error {
	changes := slices.ContainsFunc(m.report.Files, func(file report.File) bool { return strings.HasSuffix(file.Name, ".go") })
	var names []string
	for _, module := range m.project.Modules {
		files, err := m.generated(module, facts)
		if err != nil {
			return err
		}
		names = append(names, files...)
	}
	if len(facts.programs) == 0 || !changes {
		return nil
	}
	m.note("programs that record need the rule %s; access to core/v1 always stays, see "+
		"https://github.com/eventseries/eventseries/blob/main/MIGRATING.md#rbac", manifest.NewRule)
	roles, err := m.rolesIn(names)
	if err != nil {
		return err
	}
	m.askForRoles(roles, facts.programs)
	m.readers(roles, facts.reads)
	return nil
}

// generated edits the markers of a module and the YAML that is made of them. It returns the files that may have roles.
func (m *migration) generated(module load.Module, facts *facts) (roles []string, err error) {
	var original, markers []manifest.Marker
	err = load.Walk(module.Dir, skipsInModule, func(name string) error {
		if format := manifest.Formatted(name); format != "" && format != manifest.Go {
			roles = append(roles, name)
		}
		if !strings.HasSuffix(name, ".go") || load.IsTest(name) {
			return nil
		}
		before, after, err := m.texts(name)
		if strings.Contains(before, "PolicyRule{") {
			roles = append(roles, name)
		}
		if err == nil && strings.Contains(before, "+kubebuilder:rbac:") {
			original = append(original, manifest.Markers(name, before)...)
			markers = append(markers, manifest.Markers(name, after)...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	after, changed := manifest.Extended(markers, func(file string) bool {
		return len(facts.reached) > 0 && facts.mayRecord(file)
	})
	edited := map[string][]manifest.Marker{}
	var dirs []string // what controller-gen may have been given: directories with a marker that changes
	for _, i := range changed {
		name := markers[i].File
		edited[name] = append(edited[name], after[i])
		message := "this marker grants Events of core/v1, and now those of events.k8s.io"
		if group, verbs := original[i].Granted(); len(verbs) == 1 {
			message = fmt.Sprintf("this marker grants only %s on Events of %s; a marker of its own grants both create and patch for "+
				"events.k8s.io, because a recorder patches an Event to count its repeats", verbs[0], group)
		}
		m.rbac(report.Rewritten, name, original[i].Line, "%s", message)
		for dir := filepath.Dir(name); len(dir) >= len(module.Dir); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	for name, markers := range edited {
		before, text, err := m.texts(name)
		if err != nil {
			return nil, err
		}
		m.edit(name, before, manifest.Edit(text, markers))
	}
	slices.Sort(dirs)
	return roles, m.regenerate(roles, slices.Compact(dirs), markers, after)
}

// regenerate edits the roles that controller-gen made of the markers below one of the directories.
func (m *migration) regenerate(roles, dirs []string, before, after []manifest.Marker) error {
	if len(dirs) == 0 {
		return nil
	}
	matched := false
	for _, name := range roles {
		old, _, err := m.texts(name)
		if err != nil {
			return err
		}
		text := old
		for _, dir := range dirs {
			elsewhere := func(marker manifest.Marker) bool {
				return !strings.HasPrefix(marker.File, dir+string(filepath.Separator))
			}
			text = manifest.Regenerated(text, slices.DeleteFunc(slices.Clone(before), elsewhere),
				slices.DeleteFunc(slices.Clone(after), elsewhere))
		}
		if text != old {
			matched = true
			m.rbac(report.Rewritten, name, 0, "gets what controller-gen makes of the markers that change")
			m.edit(name, old, text)
		}
	}
	if !matched {
		m.note("kubebuilder markers changed, and no YAML file is the output of controller-gen for them: " +
			"run what generates your manifests, such as make manifests")
	}
	return nil
}

// rolesIn reads the roles in files, as the files will be written.
func (m *migration) rolesIn(names []string) (roles []*manifest.Role, err error) {
	var bindings []manifest.Binding
	for _, name := range names {
		_, text, err := m.texts(name)
		if err != nil {
			return nil, err
		}
		m.readFile(name, text, func(file manifest.File) {
			roles = append(roles, file.Roles...)
			bindings = append(bindings, file.Bindings...)
		})
	}
	manifest.Bind(roles, bindings)
	return roles, nil
}

// askForRoles asks in one line which of the roles that may write Events, and lack what events.k8s.io needs, are those of the
// programs that record.
func (m *migration) askForRoles(roles []*manifest.Role, programs []string) {
	var asked []*manifest.Role
	var named, dirs, kinds []string
	count := map[manifest.Format]int{}
	for _, role := range roles {
		if role.Records() && len(role.Lacks()) > 0 && !role.OnlyForElection(roles) {
			asked, named = append(asked, role), append(named, m.located(role))
			count[role.Format]++
		}
	}
	if len(asked) == 0 {
		return
	}
	for _, dir := range programs {
		dirs = append(dirs, filepath.ToSlash(m.relative(dir)))
	}
	for _, format := range []manifest.Format{manifest.YAML, manifest.Template, manifest.Jsonnet, manifest.Go} {
		if n := count[format]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d in %s", n, format))
		}
	}
	m.rbac(report.Human, asked[0].File, asked[0].Line,
		"%s (%s) may write Events, and may not create and patch those of events.k8s.io: %s. Which belong to the programs that "+
			"record (%s)? Add the rule %s to them; eventsmigrate rbac . lists all roles",
		counted(len(asked), "role"), join(kinds, "and"), joinSome(named), joinSome(dirs), manifest.NewRule)
}

// readers names the roles that only read Events of core/v1, if the project's own programs read Events.
func (m *migration) readers(roles []*manifest.Role, files []string) {
	var named []string
	for _, role := range roles {
		if !role.Records() && len(role.Reads()) > 0 {
			named = append(named, m.located(role))
		}
	}
	if len(files) == 0 || len(named) == 0 {
		return
	}
	for i, name := range files {
		files[i] = filepath.ToSlash(m.relative(name))
	}
	m.note("%s: the code reads Events. It still gets all of them through core/v1. "+
		"If it is to read events.k8s.io, %s (%s) may need the rule %s",
		joinSome(files), counted(len(named), "role"), joinSome(named), manifest.ReadingRule)
}

// located names a role with its place.
func (m *migration) located(role *manifest.Role) string {
	return fmt.Sprintf("%s in %s:%d", role, filepath.ToSlash(m.relative(role.File)), role.Line)
}

// skipsInModule reports whether a directory of a module is another module, has what is of others, or is for tests.
func skipsInModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil || skipsDir(dir)
}

// skipsDir reports whether a directory has, by its name, what is of other projects, or is for tests.
func skipsDir(dir string) bool {
	base := filepath.Base(dir)
	return strings.HasPrefix(base, ".") ||
		slices.Contains([]string{"vendor", "testdata", "test", "tests", "third_party", "node_modules"}, base)
}
