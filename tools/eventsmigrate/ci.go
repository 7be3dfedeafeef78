// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/golangci"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// noteCI notes what the compiler accepts and the project's CI may not: an import that a linter does not allow, and tests
// that read Events.
func (m *migration) noteCI() error {
	m.noteImports()
	if !m.rewrites(plan.Call) && !m.rewrites(plan.Wiring) {
		return nil
	}
	return m.noteTests()
}

// importsSDK reports whether a Go file imports a package of the SDK.
func importsSDK(text []byte) bool { return bytes.Contains(text, []byte(`"`+load.SDK+`/`)) }

// noteImports names the configurations of golangci-lint whose depguard does not allow the SDK.
func (m *migration) noteImports() {
	for _, file := range m.report.Files {
		if !strings.HasSuffix(file.Name, ".go") || load.IsTest(file.Name) || !importsSDK(file.After) || importsSDK(file.Before) {
			continue
		}
		name, config := golangci.Near(filepath.Dir(file.Name))
		if config.Refuses(load.SDK) {
			m.note("depguard allows no import of the SDK: add %s to its list in %s", load.SDK, m.slashed(name))
		}
	}
}

// noteTests names the tests that read Events, because what they expect of the Events may not be so any more.
func (m *migration) noteTests() error {
	names, err := m.testsThatRead()
	if err != nil || len(names) == 0 {
		return err
	}
	fields := ""
	if m.rewrites(plan.Call) {
		fields = "Those that are recorded through events.k8s.io have other fields (see " +
			"https://github.com/eventseries/eventseries/blob/main/docs/reading.md). "
	}
	m.note("%s: tests read Events, so run them. %sThere may be fewer or more Events than before, because a repeat counts in the "+
		"Event that is there, and up to ten messages under one reason have an Event each", joinSome(names), fields)
	return nil
}

// testsThatRead returns the tests that read Events, in any build, sorted.
func (m *migration) testsThatRead() (names []string, err error) {
	for _, module := range m.project.Modules {
		err := load.Walk(module.Dir, isOfOthers, func(name string) error {
			if !load.IsTest(name) {
				return nil
			}
			_, text, err := m.texts(name)
			if err != nil || !strings.Contains(text, "EventList") && !strings.Contains(text, "Events(") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
			if err != nil {
				return nil // it does not compile, so nobody runs it
			}
			if len(usesOf(name, file, importsOf(file, nil)).reads) > 0 {
				names = append(names, m.slashed(name))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil // a module may be in the directory of another one
}
