// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/call"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/survey"
)

// migration is the command without a name.
type migration struct {
	*source
	survey *survey.Survey // of the packages to edit
	chosen []call.Chosen  // in the last round
}

func migrate(ctx context.Context, j *job) error {
	s, err := open(ctx, j)
	if err != nil {
		return err
	}
	defer s.project.Close()
	m := &migration{source: s, survey: survey.New()}
	m.progress.Show("finding the modules of the repository")
	if err := m.project.Gather(ctx, m.options.target, m.options.sdk); err != nil {
		return err
	}
	if err := m.find(ctx); err != nil {
		return err
	}
	if err := m.findUnseen(ctx); err != nil {
		return err
	}
	found, err := m.load(ctx)
	if err != nil {
		return err
	}
	m.unseen(m.concerns)
	if !found {
		m.report.Verdict = m.finished("no package here reaches a recorder")
		return nil
	}
	for _, program := range m.programs {
		for _, pkg := range program.Selected {
			m.survey.Add(survey.Package{Fset: program.Fset, Types: pkg.Types, Info: pkg.TypesInfo, Files: pkg.Syntax})
		}
	}
	return m.change(ctx)
}

// concerns reports whether a file has something that the migration changes, by its text.
func (m *migration) concerns(file string) bool {
	return !m.options.fromEvents && load.UsesOld(file) || m.options.target == string(api.SDK) && load.MakesEvents(file)
}

// findUnseen adds builds for files that the migration changes and that are in none of those asked for, because what is
// written elsewhere may be what such a file needs.
func (m *migration) findUnseen(ctx context.Context) error {
	for _, tags := range load.Tags(m.project.Unseen(m.scopes, m.concerns), m.options.tags[0]) {
		scopes, err := m.project.Scopes(ctx, m.options.args, tags)
		if err != nil {
			return err
		}
		scopes = slices.DeleteFunc(scopes, func(scope *load.Scope) bool { return len(scope.Selected) == 0 })
		if len(scopes) > 0 {
			m.scopes = append(m.scopes, scopes...)
			m.note("looked at the build with -tags=%s, too: files with recorders are in no other", tags)
		}
	}
	return nil
}

// change finds the edits of code, go.mod and RBAC. It writes them if the options say so.
func (m *migration) change(ctx context.Context) error {
	outcome, err := m.settle(ctx, m.rewrite)
	if err != nil {
		return err
	}
	m.actions()
	if m.options.writesActions && len(m.report.Actions) > 0 {
		return m.writeActions()
	}
	m.outcome(outcome)
	if err := m.require(); err != nil {
		return err
	}
	nodes, err := m.nodes()
	if err != nil {
		return err
	}
	facts := programsOf(nodes)
	if err := m.manifests(facts); err != nil {
		return err
	}
	if err := m.noteCI(); err != nil {
		return err
	}
	m.verdict(outcome, nodes, facts)
	if err := m.finish(ctx); err != nil {
		return err
	}
	// What names places in its text comes last, with the lines that they have now.
	m.noteGuesses()
	m.noteLeft()
	return errors.Join(m.undrained(outcome), m.exported())
}

// ours reports whether the package is edited in any of the builds.
func (m *migration) ours(path string) bool {
	return slices.ContainsFunc(m.programs, func(program *load.Program) bool { return program.Ours(path) })
}

// rewrite is one round of the rewrite.
func (m *migration) rewrite(frozen func(file string) bool) ([]analyze.Finding, error) {
	config, err := m.options.config()
	if err != nil {
		return nil, err
	}
	config.Ours, config.Main, config.Frozen = m.ours, m.project.Main, frozen
	config.Survey = m.survey
	findings, results, err := m.analyze(rewrite.NewAnalyzer(config))
	m.chosen = nil
	for _, result := range results {
		m.chosen = append(m.chosen, result.([]call.Chosen)...)
	}
	return findings, err
}

// require adds the go.mod of each module in which the edits import the SDK.
func (m *migration) require() error {
	var paths []string // of the modules that require the SDK now
	for _, module := range m.project.Modules {
		imported := slices.ContainsFunc(m.report.Files, func(file report.File) bool {
			return m.project.Owner(file.Name) == module && importsSDK(file.After)
		})
		if !imported {
			continue
		}
		before, after, err := m.project.Require(module)
		if err != nil {
			return err
		}
		m.file(report.File{Name: module.GoMod, Before: before, After: after})
		if !bytes.Equal(before, after) {
			paths = append(paths, module.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	untidy, err := m.untidy(paths)
	if err != nil {
		return err
	}
	m.note("go.mod requires the SDK: run go mod tidy afterwards, in %s", strings.Join(untidy, ", "))
	if m.project.Vendors() {
		m.note("there is a vendor directory: run go mod vendor afterwards, or go work vendor in a workspace")
	}
	return nil
}

// untidy returns the directories of the modules with these paths, and of those that require one of them: what a module
// requires is indirectly in the go.mod of the other.
func (m *migration) untidy(paths []string) (dirs []string, err error) {
	for _, module := range m.project.Modules {
		text, err := m.textAfter(module.GoMod)
		if err != nil {
			return nil, err
		}
		requires := func(path string) bool { return strings.Contains(text, path+" v") }
		if slices.Contains(paths, module.Path) || slices.ContainsFunc(paths, requires) {
			dirs = append(dirs, m.slashed(module.Dir))
		}
	}
	return dirs, nil
}
