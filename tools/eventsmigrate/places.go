// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// places reports what was found in Go code.
func (m *migration) places(outcome *verify.Outcome) {
	annotated := slices.ContainsFunc(outcome.Findings, mayAnnotate)
	for _, finding := range outcome.Findings {
		status := report.Human
		switch {
		case len(finding.Edits) > 0:
			status = report.Rewritten
		case finding.Rule == plan.Annotations && !annotated:
			continue
		case finding.Rule == plan.Kept:
			status = report.Kept
		}
		m.place(report.Place{
			Rule: finding.Rule, Status: status, File: finding.Place.Filename,
			Line: finding.Place.Line, Column: finding.Place.Column, Message: finding.Message,
		})
	}
	for _, withdrawal := range outcome.Withdrawn {
		m.withdrawn(withdrawal)
	}
	m.reportBroken()
}

// mayAnnotate reports whether something annotates Events, or is given a recorder with which it can.
func mayAnnotate(finding analyze.Finding) bool {
	return finding.Rule == plan.ToOld || finding.Rule == plan.Call && finding.Subject == string(api.AnnotatedEventf)
}

// unseen reports files that use the old API and are in no build.
func (m *migration) unseen() {
	for _, file := range m.project.Unseen(m.scopes) {
		m.place(report.Place{
			Rule: report.Unseen, Status: report.Human, File: file,
			Message: "no build looked at has this file, and it uses the old API: add one (-tags= -tags=TAGS), or edit it",
		})
	}
}

// withdrawn reports a file whose edits were withdrawn. The message is the same for all files that an error concerns, so
// that a person reads it once.
func (m *migration) withdrawn(withdrawal verify.Withdrawal) {
	at := fmt.Sprintf("%s:%d", filepath.ToSlash(m.relative(withdrawal.Place.Filename)), withdrawal.Place.Line)
	place := report.Place{
		Rule: report.Withdrawn, Status: report.Human, File: withdrawal.File,
		Message: fmt.Sprintf("left as it is, because otherwise %s would not compile: %s", at, inShort(withdrawal.Error)),
	}
	selected := func(scope *load.Scope) bool { return scope.Selected[withdrawal.In] }
	switch {
	case withdrawal.Place.Filename == withdrawal.File:
		place.Line, place.Column = withdrawal.Place.Line, withdrawal.Place.Column
	case withdrawal.In != "" && !slices.ContainsFunc(m.scopes, selected):
		place.Message = fmt.Sprintf("left as it is, because %s needs it so, in a package that this run does not edit: "+
			"run eventsmigrate on both packages", at)
	}
	m.place(place)
}

// inShort is an error of the compiler without the types that do not fit, and the signatures that differ.
func inShort(err string) string {
	line, _, _ := strings.Cut(err, "\n")
	if strings.HasPrefix(line, "cannot use ") {
		line, _, _ = strings.Cut(line, ": ")
	}
	return line
}

// reportBroken reports the packages that could not be loaded by the error of each that is most likely the cause, and
// what they keep from being rewritten.
func (m *migration) reportBroken() {
	var importers []string
	named := map[string]bool{}
	for _, broken := range m.broken {
		if len(broken.Errors) == 0 {
			importers = append(importers, broken.Package)
			continue
		}
		cause := broken.Cause()
		message, more, _ := strings.Cut(cause.Msg, "\n")
		if strings.HasSuffix(message, ":") { // what follows is the remedy
			more, _, _ = strings.Cut(more, "\n")
			message += " " + strings.TrimSpace(more)
		}
		if named[message] {
			continue
		}
		named[message] = true
		if n := len(broken.Errors) - 1; n > 0 {
			message += fmt.Sprintf(" (and %d more in the package)", n)
		}
		place := report.Place{
			Rule: report.Broken, Status: report.Human, File: broken.Package,
			Message: "did not compile before, and is left as it is: " + message,
		}
		if parts := strings.Split(cause.Pos, ":"); len(parts) == 3 {
			place.File = parts[0]
			fmt.Sscan(parts[1], &place.Line)   // 0 if it is no number
			fmt.Sscan(parts[2], &place.Column) // 0 if it is no number
		}
		m.place(place)
	}
	if n := len(importers); n > 0 {
		m.note("packages left as they are, since they import what does not compile: %d, such as %s", n, importers[0])
	}
}

// place adds a place, unless it is there from another build.
func (m *migration) place(place report.Place) {
	place.File = m.relative(place.File)
	if slices.Contains(m.report.Places, place) {
		return
	}
	m.report.Places = append(m.report.Places, place)
}

// file adds a file, unless nothing changes in it.
func (m *migration) file(file report.File) {
	if bytes.Equal(file.Before, file.After) {
		return
	}
	file.Path = filepath.ToSlash(m.relative(file.Name))
	if file.Generated {
		generator := "its generator"
		if command := m.generator(file); command != "" {
			generator = "its generator (" + command + ")"
		}
		m.note("%s is generated: run %s again, or it comes back as it was", file.Path, generator)
	}
	m.report.Files = append(m.report.Files, file)
}

func (m *migration) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(m.report.Notes, note) {
		m.report.Notes = append(m.report.Notes, note)
	}
}

// relative returns the path from the working directory of a file in the repository. Others, such as those in the module
// cache, keep their paths. A run on manifests has no project.
func (m *migration) relative(name string) string {
	relative, err := filepath.Rel(m.dir, name)
	if err != nil || m.project != nil && m.project.Outside(name) {
		return name
	}
	return relative
}
