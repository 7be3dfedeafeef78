// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	phony    = regexp.MustCompile(`(?m)^\.PHONY: (.+)$`)
	target   = regexp.MustCompile(`(?m)^([a-z0-9-]+):(?:[^=].*)?$`)
	helped   = regexp.MustCompile(`(?m)^([a-z0-9-]+):.* ## .+$`)
	variable = regexp.MustCompile(`(?m)^([A-Z]+) *[:?]?= *([^#\n]*)`)
)

// makefile has what tests need of the Makefile.
type makefile struct {
	targets   []string
	variables map[string]string
}

func readMakefile(t *testing.T) makefile {
	t.Helper()
	m := makefile{targets: firsts(target, text(t, "Makefile")), variables: map[string]string{}}
	for _, match := range variable.FindAllStringSubmatch(text(t, "Makefile"), -1) {
		m.variables[match[1]] = match[2]
	}
	return m
}

// prerequisites returns the targets that a target consists of.
func prerequisites(t *testing.T, target string) []string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^` + target + `: ([^#\n]*)`).FindStringSubmatch(text(t, "Makefile"))
	if match == nil {
		t.Fatalf("make %s has no prerequisites", target)
	}
	return strings.Fields(match[1])
}

func firsts(pattern *regexp.Regexp, content string) (all []string) {
	for _, match := range pattern.FindAllStringSubmatch(content, -1) {
		all = append(all, match[1])
	}
	slices.Sort(all)
	return all
}

// Every target is phony and has its line in make help.
//
// Caught: a target without a comment; one that was renamed and kept its old .PHONY.
func TestTargetsHaveHelp(t *testing.T) {
	atRoot(t)
	content, targets := text(t, "Makefile"), readMakefile(t).targets
	var phonies []string
	for _, names := range firsts(phony, content) {
		phonies = append(phonies, strings.Fields(names)...)
	}
	slices.Sort(phonies)
	if !slices.Equal(phonies, targets) {
		t.Errorf("the Makefile has the targets\n%v, of which are .PHONY\n%v", targets, phonies)
	}
	if got := firsts(helped, content); !slices.Equal(got, targets) {
		t.Errorf("the Makefile has the targets\n%v, with help are\n%v", targets, got)
	}
}

// nestedModules returns the directories of all modules except the SDK's own and those in testdata.
func nestedModules(t *testing.T) (all []string) {
	t.Helper()
	for _, file := range tree(t) {
		if path.Base(file) == "go.mod" && file != "go.mod" && !strings.Contains(file, "/testdata/") {
			all = append(all, path.Dir(file))
		}
	}
	return all
}

// The Makefile tidies and vets each nested module, and dependabot updates it.
//
// Caught: a new module that is in no list.
func TestNestedModulesAreChecked(t *testing.T) {
	atRoot(t)
	variables := readMakefile(t).variables
	listed := strings.Fields(variables["NESTED"] + " " + variables["TOOLS"])
	bot := text(t, ".github/dependabot.yml")
	for _, dir := range nestedModules(t) {
		if !slices.Contains(listed, dir) {
			t.Errorf("the module %s is neither in NESTED nor in TOOLS of the Makefile", dir)
		}
		if !regexp.MustCompile(`[ \[]/` + regexp.QuoteMeta(dir) + `[,\]\n]`).MatchString(bot) {
			t.Errorf("the module %s is not in .github/dependabot.yml", dir)
		}
	}
	for _, dir := range listed {
		if !slices.Contains(nestedModules(t), dir) {
			t.Errorf("the Makefile lists %s, which is no module", dir)
		}
	}
}
