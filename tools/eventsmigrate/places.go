// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
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

// outcome reports what was found in Go code, and the files with edits.
func (s *source) outcome(outcome *verify.Outcome) {
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
		s.place(report.Place{
			Rule: finding.Rule, Status: status, File: finding.Place.Filename,
			Line: finding.Place.Line, Column: finding.Place.Column, Message: finding.Message,
		})
	}
	for _, withdrawal := range outcome.Withdrawn {
		s.withdrawn(withdrawal)
	}
	s.reportBroken()
	for _, file := range outcome.Files {
		s.file(file)
		if !file.Generated {
			continue
		}
		generator := "its generator"
		if command := s.generator(file); command != "" {
			generator = "its generator (" + command + ")"
		}
		s.note("%s is generated: run %s again, or it comes back as it was", s.edited(file.Name).Path, generator)
	}
}

// mayAnnotate reports whether something annotates Events, or is given a recorder with which it can.
func mayAnnotate(finding analyze.Finding) bool {
	return finding.Rule == plan.ToOld || finding.Rule == plan.Call && finding.Subject == string(api.AnnotatedEventf)
}

// unseen reports files that are in no build and concern the command.
func (s *source) unseen(concerns func(file string) bool) {
	for _, file := range s.project.Unseen(s.scopes, concerns) {
		s.place(report.Place{
			Rule: report.Unseen, Status: report.Human, File: file,
			Message: "this file has recorders, and is in none of the builds that were looked at: " +
				"add a build (-tags= -tags=TAGS), or edit it",
		})
	}
}

// withdrawn reports a file whose edits were withdrawn. The message is the same for all files that an error concerns, so
// that a person reads it once.
func (s *source) withdrawn(withdrawal verify.Withdrawal) {
	at := fmt.Sprintf("%s:%d", filepath.ToSlash(s.relative(withdrawal.Place.Filename)), withdrawal.Place.Line)
	place := report.Place{
		Rule: report.Withdrawn, Status: report.Human, File: withdrawal.File,
		Message: fmt.Sprintf("left as it is, because otherwise %s would not compile: %s", at, inShort(withdrawal.Error)),
	}
	selected := func(scope *load.Scope) bool { return scope.Selected[withdrawal.In] }
	switch {
	case strings.HasPrefix(withdrawal.Error, "could not import "+load.SDK+"/"): // with a target other than the SDK
		place.Message = "left as it is, because AnnotatedEventf, and recorders of other modules, need the SDK, and go.mod does not " +
			"require it: name a version or a checkout with -sdk, or record without annotations"
	case withdrawal.Place.Filename == withdrawal.File:
		place.Line, place.Column = withdrawal.Place.Line, withdrawal.Place.Column
	case withdrawal.In != "" && !slices.ContainsFunc(s.scopes, selected):
		place.Message = fmt.Sprintf("left as it is, because %s needs it so, in a package that this run does not edit: "+
			"run eventsmigrate on both packages", at)
	}
	s.place(place)
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
func (s *source) reportBroken() {
	var importers []string
	var places []report.Place
	named := map[string]bool{}
	for _, broken := range s.broken {
		if len(broken.Errors) == 0 {
			importers = append(importers, broken.Package)
			continue
		}
		place := brokenPlace(broken)
		if !named[place.Message] {
			named[place.Message] = true
			if n := len(broken.Errors) - 1; n > 0 {
				place.Message += fmt.Sprintf(" (and %d more in the package)", n)
			}
			places = append(places, place)
		}
	}
	if first := slices.IndexFunc(places, s.inVendor); first >= 0 {
		place := places[first]
		place.Message = fmt.Sprintf("%s not compile, most likely because the vendor directory lacks files: run go mod vendor, or go "+
			"work vendor in a workspace, and then eventsmigrate again. The first one %s",
			agreed(len(places), "1 package does", fmt.Sprintf("%d packages do", len(places))), place.Message)
		places = []report.Place{place}
	}
	for _, place := range places {
		s.place(place)
	}
	if n := len(importers); n > 0 {
		s.note("packages left as they are, since they import what does not compile: %d, such as %s", n, importers[0])
	}
}

// brokenPlace is the place and the message of the error that is most likely the cause of the others of a package.
func brokenPlace(broken load.Broken) report.Place {
	cause := broken.Cause()
	message, more, _ := strings.Cut(cause.Msg, "\n")
	if strings.HasSuffix(message, ":") { // what follows is the remedy
		more, _, _ = strings.Cut(more, "\n")
		message += " " + strings.TrimSpace(more)
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
	return place
}

// inVendor reports whether a place is in the vendor directory of the project.
func (s *source) inVendor(place report.Place) bool {
	return s.project.Vendors() && slices.Contains(strings.Split(s.slashed(place.File), "/"), "vendor")
}
