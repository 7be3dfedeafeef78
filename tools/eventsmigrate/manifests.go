// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/makefile"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// manifests plans RBAC: it edits kubebuilder markers with the YAML that controller-gen makes of them, and the only role if there is
// one. It asks about other roles.
func (m *migration) manifests(facts *facts) error {
	asks := len(facts.programs) > 0 && slices.ContainsFunc(m.report.Files, func(file report.File) bool {
		return strings.HasSuffix(file.Name, ".go")
	})
	found := newInventory(m.job)
	found.extends = true
	for _, module := range m.project.Modules {
		err := found.readMarkers(module.Dir, func(file string) bool { return len(facts.reached) > 0 && facts.mayRecord(file) })
		if err == nil {
			err = found.readDir(module.Dir, skipsInModule)
		}
		if err != nil {
			return err
		}
	}
	if err := found.settle(); err != nil {
		return err
	}
	if err := found.editMarkers(); err != nil {
		return err
	}
	m.noteUnmatched(found)
	if !asks {
		return nil
	}
	if err := m.roles(found, facts); err != nil {
		return err
	}
	m.readers(found.roles, facts.reads)
	return nil
}

// noteUnmatched notes the markers of modules that change, if no role was made of them.
func (m *migration) noteUnmatched(found *inventory) {
	for _, mod := range found.modules {
		madeOf := func(role *manifest.Role) bool {
			return role != mod.role && (role.Source == mod.role || role.MadeOf(mod.role))
		}
		if len(mod.changed) == 0 || slices.ContainsFunc(found.roles, madeOf) {
			continue
		}
		run := "if nothing else makes roles of them, they grant nothing"
		if target := makefile.Find([]string{mod.first().File}, m.outside); target != "" {
			run = "run make " + target
		}
		m.note("kubebuilder markers changed, and no YAML file is the output of controller-gen for them: %s", run)
	}
}

// readMore is where people read about RBAC.
const readMore = "see https://github.com/eventseries/eventseries/blob/main/MIGRATING.md#rbac"

// roles says of the roles that need the rule what to do about them. Somebody has to decide which of them belong to the programs
// that record, unless there is only one role, and only one program.
func (m *migration) roles(found *inventory, facts *facts) error {
	var programs []string
	for _, dir := range facts.programs {
		programs = append(programs, m.slashed(dir))
	}
	var recording, asked []*manifest.Role
	for _, role := range found.roles {
		if role.Need == manifest.Nothing || role.Need == manifest.Election {
			continue
		}
		recording = append(recording, role)
		if role.Need == manifest.Rule && role.Format != manifest.Kubebuilder && !m.ofExample(role, found.roles, programs) {
			asked = append(asked, role)
		}
	}
	if only := manifest.NewOnly(found.roles); len(only) > 0 {
		m.note("%s may write Events of events.k8s.io and not those of core/v1: who has %s cannot fall back to core/v1, and "+
			"cannot be rolled back to a release that records through core/v1", m.locatedSome(only), agreed(len(only), "it", "one of them"))
	}
	if err := m.noteScope(recording, facts); err != nil {
		return err
	}
	if len(recording) == 0 {
		m.noteNoRole(found.roles, programs)
		return nil
	}
	edited := slices.DeleteFunc(slices.Clone(recording), func(role *manifest.Role) bool {
		return role.Need == manifest.Copy || m.inExample(role, programs)
	})
	if len(programs) > 1 || len(edited) != 1 || len(asked) != 1 || edited[0] != asked[0] || !asked[0].Editable() {
		edited = nil
	} else if err := found.insert(edited); err != nil {
		return err
	}
	for _, role := range edited {
		m.rbac(report.Rewritten, role.File, role.Line, "%s is the only role that may write Events, and gets the rule %s",
			role, manifest.NewRule)
		asked = nil
	}
	asked = append(asked, m.noteMade(found, edited, programs)...)
	m.ask(m.withoutOthers(asked, found.roles, programs), programs)
	return nil
}

// ask asks in one line which roles belong to the programs.
func (m *migration) ask(asked []*manifest.Role, programs []string) {
	if len(asked) == 0 {
		return
	}
	var kinds []string
	for _, format := range []manifest.Format{manifest.YAML, manifest.Template, manifest.Jsonnet, manifest.Go, manifest.GoString} {
		if n := len(inFormat(asked, format)); n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d in %s", n, format))
		}
	}
	rule := manifest.NewRule
	switch len(inFormat(asked, manifest.Go)) {
	case 0:
	case len(asked):
		rule = manifest.NewRuleInGo
	default:
		rule += ", in Go " + manifest.NewRuleInGo + ","
	}
	m.rbac(report.Human, asked[0].File, asked[0].Line,
		"%s (%s) may write Events, and may not create and patch those of events.k8s.io: %s. Which belong to the programs that "+
			"record (%s)? Add the rule %s to them. eventsmigrate removes no rule for core/v1, and eventsmigrate rbac . lists all roles, %s",
		counted(len(asked), "role"), join(kinds, "and"), m.locatedSome(asked), joinSome(programs), rule, readMore)
}

// inFormat returns the roles that are written in a format.
func inFormat(roles []*manifest.Role, format manifest.Format) []*manifest.Role {
	return slices.DeleteFunc(slices.Clone(roles), func(role *manifest.Role) bool { return role.Format != format })
}

// noteNoRole notes that no role is that of the programs, and which roles might become that.
func (m *migration) noteNoRole(roles []*manifest.Role, programs []string) {
	but := ""
	if slices.ContainsFunc(roles, func(role *manifest.Role) bool { return role.Need == manifest.Election }) {
		but = ", but for leader election"
	}
	inGo := slices.DeleteFunc(slices.Clone(roles), func(role *manifest.Role) bool {
		return role.Need != manifest.Nothing || role.Format != manifest.Go && role.Format != manifest.GoString
	})
	made := ""
	if len(inGo) > 0 {
		made = fmt.Sprintf(" (the code makes %s)", m.locatedSome(inGo))
	}
	m.note("no role here may write Events%s: the role by which %s %s is not in this repository, or cannot write Events so far%s; "+
		"whoever makes it must add the rule %s, %s", but, joinSome(programs), agreed(len(programs), "records", "record"), made,
		manifest.NewRule, readMore)
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
				return beside && isNamedLike(own, program) && own.Need == manifest.Complete
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

// noteMade notes the roles that something makes again, by what it makes them of. It returns those of markers that do not change.
func (m *migration) noteMade(found *inventory, edited []*manifest.Role, programs []string) (rest []*manifest.Role) {
	made := map[string][]*manifest.Role{}
	var origins []string
	for _, role := range found.roles {
		origin := ""
		switch {
		case role.Need == manifest.Made:
			origin = "generated, as its file says" + ifRecords
		case role.Need != manifest.Copy || found.made[role.File] != nil || m.ofExample(role, found.roles, programs):
			continue
		case role.Source.Format != manifest.Kubebuilder:
			origin = "a copy of the role in " + m.slashed(role.Source.File) + m.fate(found, role.Source, edited)
		case found.changes(role.Source):
			origin = "made of the kubebuilder markers, which change:"
		default:
			rest = append(rest, role)
			continue
		}
		if made[origin] == nil {
			origins = append(origins, origin)
		}
		made[origin] = append(made[origin], role)
	}
	slices.Sort(origins)
	for _, origin := range origins {
		roles := made[origin]
		run := "run what makes " + agreed(len(roles), "this file", "these files")
		if target := makefile.Find(filesOf(roles), m.outside); target != "" {
			run += ", such as make " + target
		} else {
			run += ", or add the rule if nothing does"
		}
		m.note("%s %s %s %s", m.locatedSome(roles), agreed(len(roles), "is", "are each"), origin, run)
	}
	return rest
}

// ifRecords says what to do about a role that may belong to something else.
const ifRecords = ", and may not create and patch Events of events.k8s.io: if it is that of a program that records, add the rule " +
	"where it comes from, and"

// fate says what becomes of a role that others are made of.
func (m *migration) fate(found *inventory, source *manifest.Role, edited []*manifest.Role) string {
	switch {
	case found.made[source.File] != nil || slices.Contains(edited, source):
		return ", which changes:"
	case source.Need == manifest.Made:
		return ", which is generated" + ifRecords
	default:
		return ": if that gets the rule,"
	}
}

// ofExample reports whether a role is of an example, and nobody who has it has a role elsewhere.
func (m *migration) ofExample(role *manifest.Role, roles []*manifest.Role, programs []string) bool {
	return m.inExample(role, programs) && !slices.ContainsFunc(roles, func(other *manifest.Role) bool {
		return !m.inExample(other, programs) && slices.ContainsFunc(other.Holders, func(holder string) bool {
			return slices.Contains(role.Holders, holder)
		})
	})
}

// inExample reports whether a role is below a directory of examples, and no program that records is in one. The programs of a
// library may all be examples, and then these roles are theirs. The project may be in such a directory itself.
func (m *migration) inExample(role *manifest.Role, programs []string) bool {
	return isExample(m.slashed(filepath.Dir(role.File))) && !slices.ContainsFunc(programs, isExample)
}

// isExample reports whether a path is that of a directory of examples, or of one below it.
func isExample(dir string) bool {
	names := strings.Split(dir, "/")
	return slices.Contains(names, "examples") || slices.Contains(names, "example")
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
		return role.Need != manifest.Nothing || role.Format == manifest.Kubebuilder || len(role.Reads()) == 0
	})
	if len(named) > 0 {
		says += fmt.Sprintf(" It still gets all of them through core/v1. If it is to read events.k8s.io, %s (%s) may need the rule %s.",
			counted(len(named), "role"), m.locatedSome(named), manifest.ReadingRule)
	}
	if moved || len(named) > 0 {
		m.note("%s", strings.TrimSuffix(says, "."))
	}
}
