// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
	"github.com/eventseries/eventseries/tools/eventsmigrate/lint"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/call"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/survey"
)

// migration is one run.
type migration struct {
	options  *options
	dir      string
	project  *load.Project
	scopes   []*load.Scope   // one for each build
	programs []*load.Program // one for each build
	broken   []load.Broken   // of all builds
	survey   *survey.Survey  // of the packages to edit
	chosen   []call.Chosen   // in the last round
	progress *report.Progress
	report   *report.Report
}

// migrate does everything but print.
func migrate(ctx context.Context, options *options, stderr io.Writer) (result *report.Report, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	m := &migration{
		options: options, dir: dir, progress: report.NewProgress(stderr),
		report: &report.Report{Target: options.target},
	}
	defer m.progress.Done()
	m.project, err = load.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer m.project.Close()
	found, err := m.load(ctx)
	if err != nil {
		return nil, err
	}
	if m.old() {
		m.unseen()
	}
	if found {
		err = m.change(ctx)
	} else if !options.lint {
		m.report.Verdict = m.finished("no package here reaches a recorder")
	}
	if err != nil {
		return nil, err
	}
	m.report.Finish()
	return m.report, nil
}

// old reports whether code of the old API is rewritten.
func (m *migration) old() bool { return !m.options.lint && m.options.from == "" }

// load loads the selected packages, and reports whether there are any.
func (m *migration) load(ctx context.Context) (bool, error) {
	if !m.options.lint {
		m.progress.Show("finding the modules of the repository")
		if err := m.project.Gather(ctx, m.options.target, m.options.sdk); err != nil {
			return false, err
		}
	}
	if err := m.find(ctx); err != nil {
		return false, err
	}
	if !slices.ContainsFunc(m.scopes, func(scope *load.Scope) bool { return len(scope.Selected) > 0 }) {
		return false, nil
	}
	if m.options.catalog {
		for _, scope := range m.scopes {
			scope.SelectImports()
		}
	}
	var err error
	if m.programs, err = m.project.Load(ctx, m.scopes, m.progress.Show); err != nil {
		return false, err
	}
	m.survey = survey.New()
	for _, program := range m.programs {
		for _, pkg := range program.Selected {
			m.survey.Add(survey.Package{Fset: program.Fset, Types: pkg.Types, Info: pkg.TypesInfo, Files: pkg.Syntax})
		}
	}
	m.broken = load.AllBroken(m.programs)
	return true, load.Downloaded(m.broken)
}

// find finds the packages of each build. To those asked for it adds builds for files that use the old API and are in none
// of them, because what is written elsewhere may be what such a file needs.
func (m *migration) find(ctx context.Context) error {
	m.progress.Show("finding packages, and downloading what is missing")
	for _, tags := range m.options.tags {
		scopes, err := m.project.Scopes(ctx, m.options.patterns, tags)
		if err != nil {
			return err
		}
		m.scopes = append(m.scopes, scopes...)
	}
	if err := m.missing(); err != nil || !m.old() {
		return err
	}
	for _, tags := range load.Tags(m.project.Unseen(m.scopes), m.options.tags[0]) {
		scopes, err := m.project.Scopes(ctx, m.options.patterns, tags)
		if err != nil {
			return err
		}
		scopes = slices.DeleteFunc(scopes, func(scope *load.Scope) bool { return len(scope.Selected) == 0 })
		if len(scopes) > 0 {
			m.scopes = append(m.scopes, scopes...)
			m.note("looked at the build with -tags=%s, too: files that use the old API are in no other", tags)
		}
	}
	return nil
}

// missing returns an error for a pattern that matches no package in any of the builds.
func (m *migration) missing() error {
	for _, pattern := range m.scopes[0].Missing {
		other := func(scope *load.Scope) bool { return !slices.Contains(scope.Missing, pattern) }
		switch {
		case slices.ContainsFunc(m.scopes, other):
		case strings.HasSuffix(pattern, ".go"):
			return fmt.Errorf("%s is not a package: name its directory, such as ./%s", pattern, path.Dir(filepath.ToSlash(pattern)))
		default:
			return fmt.Errorf("no package of the main modules matches %s", pattern)
		}
	}
	return nil
}

// change finds the edits of code, go.mod and RBAC. It writes them if the options say so.
func (m *migration) change(ctx context.Context) error {
	outcome, err := verify.Settle(ctx, m.programs, m.analyze, func(done, all int) {
		m.progress.Show("checking package %d of %d", done, all)
	})
	if err != nil {
		return err
	}
	m.actions()
	if m.options.asks && len(m.report.Actions) > 0 {
		return m.askActions()
	}
	m.places(outcome)
	for _, file := range outcome.Files {
		m.file(file)
	}
	if err := m.require(); err != nil {
		return err
	}
	if !m.options.lint {
		nodes, err := m.nodes()
		if err != nil {
			return err
		}
		facts := programsOf(nodes)
		if err := m.exported(); err != nil {
			return err
		}
		if err := m.manifests(facts); err != nil {
			return err
		}
		m.verdict(outcome, nodes, facts)
	}
	m.dirty(ctx)
	if m.options.diff {
		m.report.Diff = m.report.Unified()
		return nil
	}
	if m.options.fix && (m.options.force || !m.report.Refused) {
		return m.write()
	}
	return nil
}

// ours reports whether the package is edited in any of the builds.
func (m *migration) ours(path string) bool {
	return slices.ContainsFunc(m.programs, func(program *load.Program) bool { return program.Ours(path) })
}

// analyze is one round of the rewrite, or of the lints.
func (m *migration) analyze(frozen func(file string) bool) ([]analyze.Finding, error) {
	config, err := m.options.config()
	if err != nil {
		return nil, err
	}
	config.Ours, config.Main, config.Frozen = m.ours, m.project.Main, frozen
	config.Survey = m.survey
	analyzers := []*analysis.Analyzer{rewrite.NewAnalyzer(config)}
	if m.options.lint {
		analyzers = lint.Analyzers()
	}
	var findings []analyze.Finding
	m.chosen = nil
	for _, program := range m.programs {
		m.progress.Show("analysing %s", counted(len(program.Selected), "package"))
		found, results, err := analyze.Run(program.Fset, program.Selected, analyzers)
		if err != nil {
			return nil, err
		}
		for _, result := range results {
			chosen, _ := result.([]call.Chosen) // the lints have none
			m.chosen = append(m.chosen, chosen...)
		}
		findings = analyze.Merge(findings, found)
	}
	for i, finding := range findings {
		asked := !m.options.lint || m.options.fix || m.options.diff
		if !asked || m.options.lint && frozen(finding.Place.Filename) {
			findings[i].Edits = nil // a human looks at the lint
		}
	}
	return findings, nil
}

// require adds the go.mod of each module in which the edits import the SDK.
func (m *migration) require() error {
	changed := false
	var dirs []string
	for _, module := range m.project.Modules {
		dirs = append(dirs, filepath.ToSlash(m.relative(module.Dir)))
		imported := slices.ContainsFunc(m.report.Files, func(file report.File) bool {
			return m.project.Owner(file.Name) == module && strings.Contains(string(file.After), `"`+load.SDK+"/")
		})
		if !imported {
			continue
		}
		before, after, err := m.project.Require(module)
		if err != nil {
			return err
		}
		m.file(report.File{Name: module.GoMod, Before: before, After: after})
		changed = changed || !bytes.Equal(before, after)
	}
	if changed {
		m.note("go.mod requires the SDK: run go mod tidy afterwards, in %s", strings.Join(dirs, ", "))
		if m.project.Vendors() {
			m.note("there is a vendor directory: run go mod vendor afterwards, or go work vendor in a workspace")
		}
	}
	return nil
}
