// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"os"
	"path"
	"path/filepath"
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
	qualified = regexp.MustCompile(`(?:^|[^\w./"-])(adapter|conditions|discovery|events|eventstest|eventview|legacy|sinks)\.([A-Z]\w*)`)
	made      = regexp.MustCompile(`(?:^|[;&] *)make ([a-z][a-z0-9-]*)`)
	located   = regexp.MustCompile(`^(adapter|api|conditions|discovery|docs|events|eventview|examples|internal|legacy|sinks|test|tools)/[\w./-]+$`)
	tested    = regexp.MustCompile(`^(?:Test|Fuzz)[A-Z]\w+$`)
)

// notOurs are targets of the Makefiles of users' projects, and packages of client-go.
var notOurs = []string{"manifests", "build-installer", "tools/events", "tools/record"}

// What pages have in `code` exists: exported names, files, tests, and targets of the Makefile; these also in blocks of sh.
//
// Caught: an option, a directory and a target that were renamed; a test in SECURITY.md that was.
func TestDocsNameWhatExists(t *testing.T) {
	atRoot(t)
	api, makefile := exported(t), text(t, "Makefile")
	tests := regexp.MustCompile(`(?m)^func (?:Test|Fuzz)\w+`)
	isTest := map[string]bool{}
	for _, file := range tree(t) {
		if strings.HasSuffix(file, "_test.go") {
			for _, name := range tests.FindAllString(text(t, file), -1) {
				isTest[strings.TrimPrefix(name, "func ")] = true
			}
		}
	}
	problem := func(page, code string) string {
		for _, match := range qualified.FindAllStringSubmatch(code, -1) {
			dir := strings.Replace(match[1], "eventstest", "events/eventstest", 1)
			if !api[dir+"."+match[2]] && !api["adapter."+match[2]] { // adapter is imported as events, too
				return fmt.Sprintf("package %s exports no %s", dir, match[2])
			}
		}
		for _, match := range made.FindAllStringSubmatch(code, -1) {
			if !strings.Contains(makefile, "\n"+match[1]+":") && !slices.Contains(notOurs, match[1]) {
				return "the Makefile has no target " + match[1]
			}
		}
		if tested.MatchString(code) && !isTest[code] && !api["events/eventstest."+code] {
			return "no test is named " + code
		}
		if located.MatchString(code) && !slices.Contains(notOurs, code) {
			_, fromRoot := os.Stat(filepath.FromSlash(code))
			_, fromPage := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(code)))
			if fromRoot != nil && fromPage != nil {
				return "there is no file " + code
			}
		}
		return ""
	}
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
			if problem := problem(p.path, s.code); problem != "" {
				t.Errorf("%s:%d: %s", p.path, s.line, problem)
			}
		}
	}
}

// Links in doc comments lead to symbols that exist, and code in them stands in a compiled file.
//
// Caught: a link to an option that was renamed; a usage that was written by hand and did not compile.
func TestDocCommentsNameWhatExists(t *testing.T) {
	atRoot(t)
	api, sources := exported(t), readSources(t)
	unresolved := regexp.MustCompile(`(?:^|\W)\\\[\*?([A-Z]\w*|[a-z]\w*\.[A-Z]\w*)(\.[A-Z]\w*)?\]`)
	elsewhere := regexp.MustCompile(`\(/` + module + `([\w/]+)#([\w.]+)\)`)
	packages := map[string][]*ast.File{}
	for _, file := range goFiles(t) {
		top, _, _ := strings.Cut(file.path, "/")
		if !slices.Contains([]string{"examples", "internal", "test", "tools"}, top) {
			packages[file.dir()] = append(packages[file.dir()], file.File)
		}
	}
	for dir, files := range packages {
		p, err := doc.NewFromFiles(fset, files, module+dir, doc.PreserveAST)
		if err != nil {
			t.Fatal(err)
		}
		comments, funcs := []string{p.Doc}, p.Funcs
		for _, typ := range p.Types {
			comments = append(comments, typ.Doc)
			funcs = slices.Concat(funcs, typ.Funcs, typ.Methods)
		}
		for _, f := range funcs {
			comments = append(comments, f.Doc)
		}
		for _, text := range comments {
			markdown := string(p.Markdown(text))
			if name := unresolved.FindString(markdown); name != "" {
				t.Errorf("%s: %s names nothing, in\n%s", dir, name, text)
			}
			for _, match := range elsewhere.FindAllStringSubmatch(markdown, -1) {
				if !api[match[1]+"."+match[2]] {
					t.Errorf("%s: package %s exports no %s", dir, match[1], match[2])
				}
			}
			for _, part := range p.Parser().Parse(text).Content {
				code, isCode := part.(*comment.Code)
				if !isCode {
					continue
				}
				if _, err := format.Source([]byte(code.Text)); err == nil && !within(sources.goFiles, code.Text) {
					t.Errorf("%s: stands in no Go file of the repository:\n%s", dir, code.Text)
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
