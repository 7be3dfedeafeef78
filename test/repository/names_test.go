// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/doc"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exported returns what api/ lists: package.Func, package.Type, package.Type.Method and package.Type.Field. The package
// is its directory.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	line := regexp.MustCompile(`(?m)^pkg (\S+), (?:(?:const|var|func|type) (\w+)|method \(\*?(\w+)(?:\[\w*\])?\) (\w+))` +
		`(?:(?:\[.*\])? (?:struct|interface), (\w+))?`)
	all := map[string]bool{}
	for _, file := range tree(t) {
		if path.Dir(file) != "api" {
			continue
		}
		for _, match := range line.FindAllStringSubmatch(text(t, file), -1) {
			dir, name, member := match[1], match[2]+match[3], match[4]+match[5]
			if dir == "eventseries" {
				dir = "."
			}
			all[dir+"."+name] = true
			all[dir+"."+name+"."+member] = true
		}
	}
	return all
}

var (
	qualified = regexp.MustCompile(`(?:^|[^\w./"-])(adapter|clusters|conditions|discovery|events|eventstest|eventview|legacy|recordevents|sinks)\.([A-Z]\w*)`)
	made      = regexp.MustCompile(`(?:^|[;&] *)make ([a-z][a-z0-9-]*)`)
	script    = regexp.MustCompile(`(?:^|[;&] *|=\S* )([\w.-]+(?:/[\w.-]+)*\.sh)\b`)
)

// notOurs are targets of the Makefiles of users' projects.
var notOurs = []string{"manifests", "build-installer"}

// Names that pages have in `code` or in blocks of sh are exported, targets of the Makefile, and scripts, which are named
// from the root or from the page.
//
// Caught: an option, a target and a script that were renamed.
func TestPagesNameWhatExists(t *testing.T) {
	atRoot(t)
	api, makefile := exported(t), text(t, "Makefile")
	for _, p := range pages(t) {
		if p.path == "CHANGELOG.md" { // names what was, too
			continue
		}
		for _, b := range p.blocks {
			if b.language == "sh" {
				for line := range strings.Lines(b.text) {
					p.spans = append(p.spans, span{strings.TrimSpace(line), b.line})
				}
			}
		}
		for _, s := range p.spans {
			for _, match := range qualified.FindAllStringSubmatch(s.code, -1) {
				dir := strings.Replace(match[1], "eventstest", "events/eventstest", 1)
				if !api[dir+"."+match[2]] && !api["clientgo/"+dir+"."+match[2]] { // which has the same name
					t.Errorf("%s:%d: package %s exports no %s", p.path, s.line, dir, match[2])
				}
			}
			for _, match := range made.FindAllStringSubmatch(s.code, -1) {
				if !strings.Contains(makefile, "\n"+match[1]+":") && !slices.Contains(notOurs, match[1]) {
					t.Errorf("%s:%d: the Makefile has no target %s", p.path, s.line, match[1])
				}
			}
			for _, match := range script.FindAllStringSubmatch(s.code, -1) {
				if files := tree(t); !slices.Contains(files, match[1]) && !slices.Contains(files, path.Join(path.Dir(p.path), match[1])) {
					t.Errorf("%s:%d: there is no script %s", p.path, s.line, match[1])
				}
			}
		}
	}
}

// Every Example has an Output, without which it does not run. TestSink needs a *testing.T; a test runs its code.
func TestExamplesRun(t *testing.T) {
	atRoot(t)
	for _, file := range goFiles(t) {
		for _, example := range doc.Examples(file.File) {
			if file.isTest() && example.Output == "" && !example.EmptyOutput && example.Name != "TestSink" {
				t.Errorf("%s: Example%s has no Output", file.path, example.Name)
			}
		}
	}
}
