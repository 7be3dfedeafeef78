// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/ast"
	"go/doc"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/adapter"
)

// api is what each public package exports: by directory the names, as Func, Type, Type.Method and Type.Field.
type api map[string]map[string]bool

// publicPackages returns the directories of the packages that users import, found by walking.
func publicPackages(t *testing.T) (all []string) {
	t.Helper()
	for _, file := range tree(t) {
		dir := path.Dir(file)
		first, _, _ := strings.Cut(dir, "/")
		if path.Base(file) == "doc.go" && !slices.Contains([]string{"examples", "internal", "test", "tools"}, first) {
			all = append(all, dir)
		}
	}
	return all
}

// documented returns the documentation of a package with its Examples.
func documented(t *testing.T, dir string) *doc.Package {
	t.Helper()
	var files []*ast.File
	for _, file := range goFiles(t) {
		if file.dir() == dir {
			files = append(files, file.File)
		}
	}
	// Without PreserveAST, the package would take declarations out of the shared syntax trees.
	p, err := doc.NewFromFiles(fset, files, module+dir, doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func readAPI(t *testing.T) api {
	t.Helper()
	all := api{}
	for _, dir := range publicPackages(t) {
		all[dir] = map[string]bool{}
		for _, symbol := range exported(documented(t, dir)) {
			all[dir][symbol.name] = true
		}
	}
	return all
}

func (a api) has(dir, name string) bool { return a[dir][name] }

// anywhere reports whether any package exports a name.
func (a api) anywhere(name string) bool {
	for dir := range a {
		if a.has(dir, name) || a.open(dir, name) {
			return true
		}
	}
	return false
}

// open reports whether dir has a type of that name with members that another module declares.
func (a api) open(dir, name string) bool {
	typeName, member, found := strings.Cut(name, ".")
	if !found || !a[dir][typeName] {
		return false
	}
	for other := range a[dir] {
		if strings.HasPrefix(other, typeName+".") {
			return false
		}
	}
	return member != ""
}

var (
	qualified   = regexp.MustCompile(`(?:^|[^\w./"-])(adapter|conditions|discovery|events|eventstest|legacy|sinks)\.([A-Z]\w*)`)
	memberOf    = regexp.MustCompile(`^([A-Z]\w*\.[A-Z]\w*)`)
	option      = regexp.MustCompile(`^(With[A-Z]\w*)`)
	environment = regexp.MustCompile(`EVENTSERIES_\w+`)
)

// The names in `code` and in diffs are those of the SDK: events.WithNotes, Stats.Pending, WithMaxSeries, and the
// variables of the environment. (The code in blocks is compiled.)
//
// Caught: an option and a field of Stats that were renamed; "EVENTSERIES_MODE".
func TestDocsNameWhatIsExported(t *testing.T) {
	atRoot(t)
	api := readAPI(t)
	typed := func(name string) bool {
		typeName, _, _ := strings.Cut(name, ".")
		return !api.anywhere(typeName) || api.anywhere(name)
	}
	check := func(p page, line int, code string) {
		for _, match := range qualified.FindAllStringSubmatch(code, -1) {
			dir := strings.Replace(match[1], "eventstest", "events/eventstest", 1)
			if !api.has(dir, match[2]) && !api.has("adapter", match[2]) { // adapter is imported as events, too
				t.Errorf("%s:%d: package %s exports no %s", p.path, line, dir, match[2])
			}
		}
		if match := option.FindString(code); match != "" && !api.anywhere(match) {
			t.Errorf("%s:%d: no package has an option %s", p.path, line, match)
		}
		if match := memberOf.FindString(code); match != "" && !typed(match) {
			t.Errorf("%s:%d: no type has %s", p.path, line, match)
		}
		for _, name := range environment.FindAllString(code, -1) {
			read := []string{adapter.Environment, adapter.EnvironmentSelector}
			if !slices.Contains(read, name) && name != "EVENTSERIES_" { // the prefix of all
				t.Errorf("%s:%d: nothing reads %s, want one of %v", p.path, line, name, read)
			}
		}
	}
	for _, p := range pages(t) {
		if p.path == "CHANGELOG.md" { // names what was, too
			continue
		}
		for _, s := range p.spans {
			check(p, s.line, s.code)
		}
		for _, b := range p.blocks {
			for i, line := range strings.Split(b.text, "\n") {
				if b.language == "diff" && !strings.HasPrefix(line, "-") {
					check(p, b.line+1+i, line)
				}
			}
		}
	}
}
