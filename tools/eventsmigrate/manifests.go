// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/makefile"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// manifests plans RBAC, with the code as rewritten: kubebuilder markers and the YAML that controller-gen makes of them.
// About other roles it asks.
func (m *migration) manifests(facts *facts) error {
	changes := slices.ContainsFunc(m.report.Files, func(file report.File) bool { return strings.HasSuffix(file.Name, ".go") })
	var names []string
	var unmatched [][]manifest.Marker
	for _, module := range m.project.Modules {
		files, markers, err := m.generated(module, facts)
		if err != nil {
			return err
		}
		names = append(names, files...)
		if len(markers) > 0 {
			unmatched = append(unmatched, markers)
		}
	}
	if len(facts.programs) == 0 || !changes {
		m.noteUnmatched(unmatched, nil)
		return nil
	}
	roles, err := m.rolesIn(names, m.textAfter)
	if err != nil {
		return err
	}
	edited, err := m.rolesIn(m.editedRoles(names), m.textBefore)
	if err != nil {
		return err
	}
	m.noteUnmatched(unmatched, roles)
	m.askForRoles(roles, &origins{edited: edited, markers: unmatched, all: roles}, facts.programs)
	m.readers(roles, facts.reads)
	return nil
}

// generated edits the markers of a module and the YAML that is made of them. It returns the files that may have roles, and
// the markers if some change and no YAML was made of them.
func (m *migration) generated(module load.Module, facts *facts) (roles []string, unmatched []manifest.Marker, err error) {
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
		return nil, nil, err
	}
	after, changed := manifest.Extended(markers, func(file string) bool {
		return len(facts.reached) > 0 && facts.mayRecord(file)
	})
	edited := map[string][]manifest.Marker{}
	for _, i := range changed {
		name := markers[i].File
		edited[name] = append(edited[name], after[i])
		message := "this marker grants Events of core/v1, and now those of events.k8s.io"
		if group, verbs := original[i].Granted(); len(verbs) == 1 {
			message = fmt.Sprintf("this marker grants only %s on Events of %s; a marker of its own grants both create and patch for "+
				"events.k8s.io, because a recorder patches an Event to count its repeats", verbs[0], group)
		}
		m.rbac(report.Rewritten, name, original[i].Line, "%s", message)
	}
	for name, markers := range edited {
		before, text, err := m.texts(name)
		if err != nil {
			return nil, nil, err
		}
		m.edit(name, before, manifest.Edit(text, markers))
	}
	if len(edited) == 0 {
		return roles, nil, nil
	}
	matched, err := m.regenerate(roles, above(module.Dir, slices.Collect(maps.Keys(edited))), markers, after)
	if !matched {
		unmatched = markers
	}
	return roles, unmatched, err
}

// regenerate edits the roles that controller-gen made of the markers below one of the directories, and reports whether there
// are any.
func (m *migration) regenerate(roles, dirs []string, before, after []manifest.Marker) (matched bool, err error) {
	for _, name := range roles {
		old, _, err := m.texts(name)
		if err != nil {
			return false, err
		}
		text := regenerated(old, dirs, before, after)
		if text != old {
			matched = true
			m.rbac(report.Rewritten, name, 0, "gets what controller-gen makes of the markers that change")
			m.edit(name, old, text)
		}
	}
	return matched, nil
}

// noteUnmatched notes the markers of modules that changed, if no YAML file and none of the roles was made of them.
func (m *migration) noteUnmatched(modules [][]manifest.Marker, roles []*manifest.Role) {
	for _, markers := range modules {
		if !slices.ContainsFunc(roles, func(role *manifest.Role) bool { return role.MadeOf(markers) }) {
			m.note("kubebuilder markers changed, and no YAML file is the output of controller-gen for them: run what generates your "+
				"manifests, such as make %s", cmp.Or(makefile.Find([]string{markers[0].File}, m.outside), "manifests"))
		}
	}
}

// regenerated returns the text of a file after the roles in it are made of other markers, if they were made of those below one of
// the directories.
func regenerated(text string, dirs []string, before, after []manifest.Marker) string {
	for _, dir := range dirs {
		elsewhere := func(marker manifest.Marker) bool {
			return !strings.HasPrefix(marker.File, dir+string(filepath.Separator))
		}
		text = manifest.Regenerated(text, slices.DeleteFunc(slices.Clone(before), elsewhere),
			slices.DeleteFunc(slices.Clone(after), elsewhere))
	}
	return text
}

// above returns the directories of files, and those above them up to that of their module: what controller-gen may have been
// given.
func above(module string, files []string) (dirs []string) {
	for _, name := range files {
		for dir := filepath.Dir(name); len(dir) >= len(module); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// editedRoles are those of the files with roles that the run edits.
func (m *migration) editedRoles(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return manifest.Formatted(name) == manifest.Go || m.edited(name) == nil
	})
}

// textBefore is the text of a file before the run, and textAfter that as it will be written.
func (j *job) textBefore(name string) (string, error) {
	before, _, err := j.texts(name)
	return before, err
}

func (j *job) textAfter(name string) (string, error) {
	_, after, err := j.texts(name)
	return after, err
}

// rolesIn reads the roles in the texts of files.
func (m *migration) rolesIn(names []string, text func(name string) (string, error)) (roles []*manifest.Role, err error) {
	var bindings []manifest.Binding
	for _, name := range names {
		text, err := text(name)
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

// readMore is where people read about RBAC.
const readMore = "see https://github.com/eventseries/eventseries/blob/main/MIGRATING.md#rbac"

// askForRoles asks in one line which of the roles that may write Events, and lack what events.k8s.io needs, are those of the
// programs that record. Those that something makes again are in notes, as are those that most likely are of something else.
func (m *migration) askForRoles(roles []*manifest.Role, from *origins, programs []string) {
	made := map[string][]*manifest.Role{}
	var asked []*manifest.Role
	var dirs, kinds []string
	recording := false
	for _, role := range roles {
		lacks := len(role.Lacks()) > 0
		recording = recording || role.Records() && !(lacks && role.NamedForElection())
		if role.NewOnly(roles) {
			m.note("%s may write Events of events.k8s.io and not those of core/v1: who has it cannot fall back to core/v1, and "+
				"cannot be rolled back to a release that records through core/v1", m.located(role))
		}
		if !role.Records() || !lacks || role.OnlyForElection(roles) || role.Covered(roles) || m.ofExample(role, roles) {
			continue
		}
		if origin := m.originOf(role, from); origin != "" {
			made[origin] = append(made[origin], role)
			continue
		}
		asked = append(asked, role)
	}
	for _, origin := range slices.Sorted(maps.Keys(made)) {
		m.noteMade(made[origin], origin)
	}
	for _, dir := range programs {
		dirs = append(dirs, m.slashed(dir))
	}
	if !recording {
		m.sayNoRole(asked, dirs)
		return
	}
	if asked = m.withoutOthers(asked, roles, dirs); len(asked) == 0 {
		return
	}
	for _, format := range []manifest.Format{manifest.YAML, manifest.Template, manifest.Jsonnet, manifest.Go} {
		n := 0
		for _, role := range asked {
			if role.Format == format {
				n++
			}
		}
		if n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d in %s", n, format))
		}
	}
	m.rbac(report.Human, asked[0].File, asked[0].Line,
		"%s (%s) may write Events, and may not create and patch those of events.k8s.io: %s. Which belong to the programs that "+
			"record (%s)? Add the rule %s to them. eventsmigrate removes no rule for core/v1, and eventsmigrate rbac . lists all roles, %s",
		counted(len(asked), "role"), join(kinds, "and"), m.locatedSome(asked), joinSome(dirs), manifest.NewRule, readMore)
}

// sayNoRole says that no role is that of the programs, by their directories. A role for leader election may be, which a person
// has to decide.
func (m *migration) sayNoRole(election []*manifest.Role, programs []string) {
	where := fmt.Sprintf("the role by which %s %s is not in this repository, or cannot write Events so far; whoever makes it must add "+
		"the rule %s, %s", joinSome(programs), agreed(len(programs), "records", "record"), manifest.NewRule, readMore)
	if len(election) == 0 {
		m.note("no role here may write Events: %s", where)
		return
	}
	m.rbac(report.Human, election[0].File, election[0].Line,
		"no role here may write Events, but for leader election (%s). Add the rule to it if the programs record by it. Otherwise %s",
		m.locatedSome(election), where)
}

// withoutOthers returns the roles without those that most likely belong to something else, and notes these: they do not have
// the name of a program that records, by its directory, and beside them are roles with these names that may write Events of
// events.k8s.io already.
func (m *migration) withoutOthers(asked, roles []*manifest.Role, programs []string) (rest []*manifest.Role) {
	var others []*manifest.Role
	for _, role := range asked {
		isOther := !slices.ContainsFunc(programs, func(program string) bool {
			served := slices.ContainsFunc(roles, func(own *manifest.Role) bool {
				beside := filepath.Dir(own.File) == filepath.Dir(role.File)
				return beside && isNamedLike(own, program) && own.Records() && len(own.Lacks()) == 0
			})
			return isNamedLike(role, program) || !served
		})
		if isOther {
			others = append(others, role)
		} else {
			rest = append(rest, role)
		}
	}
	if len(others) > 0 {
		m.note("%s may write Events, and may not create and patch those of events.k8s.io. By the names, %s not of the programs that "+
			"record (%s), whose roles beside may do so", m.locatedSome(others), agreed(len(others), "it is", "they are"), joinSome(programs))
	}
	return rest
}

// isNamedLike reports whether the name of a role has that of the directory of a program.
func isNamedLike(role *manifest.Role, program string) bool {
	name := path.Base(program)
	return name != "." && strings.Contains(role.Name, name)
}

// origins are what a role may be made of: roles that the run edits, as they were; the markers of modules that it edits, if
// no YAML file was their output; and a role that is generated.
type origins struct {
	edited  []*manifest.Role
	markers [][]manifest.Marker
	all     []*manifest.Role
}

// originOf says of which of the origins something makes a role again, so that nobody should edit its file. It is empty for
// others.
func (m *migration) originOf(role *manifest.Role, from *origins) string {
	copied := func(other *manifest.Role) bool { return role.File != other.File && role.CopyOf(other) }
	const ask = ", and may not create and patch Events of events.k8s.io: if it is that of a program that records, add the rule " +
		"where it comes from, and"
	if i := slices.IndexFunc(from.edited, copied); i >= 0 {
		return "a copy of the role in " + m.slashed(from.edited[i].File) + ", which changes:"
	}
	if slices.ContainsFunc(from.markers, role.MadeOf) {
		return "made of the kubebuilder markers, which change:"
	}
	if role.Generated {
		return "generated, as its file says" + ask
	}
	i := slices.IndexFunc(from.all, func(other *manifest.Role) bool { return other.Generated && copied(other) })
	if i >= 0 {
		return "a copy of the role in " + m.slashed(from.all[i].File) + ", which is generated" + ask
	}
	return ""
}

// noteMade notes the roles of one origin, and what makes them.
func (m *migration) noteMade(roles []*manifest.Role, origin string) {
	var files []string
	for _, role := range roles {
		files = append(files, role.File)
	}
	run := "run what makes " + agreed(len(files), "this file", "these files")
	if target := makefile.Find(files, m.outside); target != "" {
		run += ", such as make " + target
	}
	m.note("%s %s %s %s", m.locatedSome(roles), agreed(len(roles), "is", "are each"), origin, run)
}

// ofExample reports whether a role is in an example, and nobody who has it has a role elsewhere.
func (m *migration) ofExample(role *manifest.Role, roles []*manifest.Role) bool {
	return m.inExample(role) && !slices.ContainsFunc(roles, func(other *manifest.Role) bool {
		return !m.inExample(other) && slices.ContainsFunc(other.Holders, func(holder string) bool {
			return slices.Contains(role.Holders, holder)
		})
	})
}

// inExample reports whether a role is below a directory of examples. The project may be in such a directory itself.
func (m *migration) inExample(role *manifest.Role) bool {
	dirs := strings.Split(m.slashed(filepath.Dir(role.File)), "/")
	return slices.Contains(dirs, "examples") || slices.Contains(dirs, "example")
}

// readers names the files of the project's own programs that read Events, and the roles that only read those of core/v1. An
// Event that was recorded through the old API has other fields now.
func (m *migration) readers(roles []*manifest.Role, files []string) {
	if len(files) == 0 {
		return
	}
	for i, name := range files {
		files[i] = m.slashed(name)
	}
	says := joinSome(files) + ": the code reads Events."
	moved := m.rewrites(plan.Call)
	if moved {
		says += " In those that are recorded through events.k8s.io the fields count, firstTimestamp, lastTimestamp and source " +
			"of core/v1 are empty; series, eventTime and reportingComponent are in their place, see " +
			"https://github.com/eventseries/eventseries/blob/main/docs/reading.md."
	}
	named := slices.DeleteFunc(slices.Clone(roles), func(role *manifest.Role) bool {
		return role.Records() || len(role.Reads()) == 0
	})
	if len(named) > 0 {
		says += fmt.Sprintf(" It still gets all of them through core/v1. If it is to read events.k8s.io, %s (%s) may need the rule %s.",
			counted(len(named), "role"), m.locatedSome(named), manifest.ReadingRule)
	}
	if moved || len(named) > 0 {
		m.note("%s", strings.TrimSuffix(says, "."))
	}
}

// located names a role with its place.
func (m *migration) located(role *manifest.Role) string {
	return fmt.Sprintf("%s in %s:%d", role, m.slashed(role.File), role.Line)
}

// locatedSome names the first roles with their places, and says how many more there are.
func (m *migration) locatedSome(roles []*manifest.Role) string {
	var named []string
	for _, role := range roles {
		named = append(named, m.located(role))
	}
	return joinSome(named)
}

// slashed is the path of a file as reports have it.
func (j *job) slashed(name string) string { return filepath.ToSlash(j.relative(name)) }

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
