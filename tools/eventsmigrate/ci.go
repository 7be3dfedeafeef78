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
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// around notes what compiles and may fail all the same in the project's CI: imports that a linter does not know, and tests
// that read Events.
func (m *migration) around() error {
	if !slices.ContainsFunc(m.report.Files, importsSDK) {
		return nil
	}
	m.imports()
	return m.testsThatRead()
}

// importsSDK reports whether a file will import the SDK, and has not before.
func importsSDK(file report.File) bool {
	sdk := []byte(`"` + load.SDK + `/`)
	return strings.HasSuffix(file.Name, ".go") && bytes.Contains(file.After, sdk) && !bytes.Contains(file.Before, sdk)
}

// imports names the configurations of golangci-lint whose depguard does not allow the SDK.
func (m *migration) imports() {
	var named []string
	for _, file := range m.report.Files {
		if !importsSDK(file) || load.IsTest(file.Name) {
			continue
		}
		name, config := golangci.Near(filepath.Dir(file.Name))
		if config.Refuses(load.SDK) && !slices.Contains(named, name) {
			named = append(named, name)
			m.note("depguard allows no import of the SDK: add %s to its list in %s", load.SDK, m.slashed(name))
		}
	}
}

// testsThatRead names the tests that read Events. What a test expects of them may differ afterwards.
func (m *migration) testsThatRead() error {
	var names []string
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
			return err
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		names = slices.Compact(names) // a module may be in the directory of another one
		m.note("%s: tests read Events. Those that are recorded through events.k8s.io have other fields (see "+
			"https://github.com/eventseries/eventseries/blob/main/docs/reading.md), and there may be fewer or more of them: repeats "+
			"count in one Event, and up to ten messages under one reason have one each. Run these tests", joinSome(names))
	}
	return nil
}

// isOfOthers reports whether a directory has code of others, or none at all.
func isOfOthers(dir string) bool {
	base := filepath.Base(dir)
	return strings.HasPrefix(base, ".") || base == "vendor" || base == "testdata" || base == "node_modules"
}
