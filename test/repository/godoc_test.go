// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each public package has a page with the sections Usage, Guarantees and Testing. The guarantees have the same names
// everywhere, so that a reader finds blocking and loss.
//
// Caught: a package without Guarantees; a broadcaster that says nothing of loss; a root that forgot a package.
func TestPackagePages(t *testing.T) {
	atRoot(t)
	api := readAPI(t)
	for _, dir := range publicPackages(t) {
		p := documented(t, dir)
		promises := []string{"Blocking", "Concurrency"}
		if api.has(dir, "Broadcaster.Drain") || api.has(dir, "Adapter.Drain") {
			promises = append(promises, "Order", "Loss", "Shutdown")
		}
		if dir == "." { // the map of the others
			for _, other := range publicPackages(t) {
				if other != dir && !strings.Contains(p.Doc, "["+module+other+"]") {
					t.Errorf("the page of the root does not link to %s", other)
				}
			}
			continue
		}
		sections := sectionsOf(p.Doc)
		for _, heading := range []string{"Usage", "Guarantees", "Testing"} {
			if sections[heading] == "" {
				t.Errorf("%s/doc.go has no section %q, but %q", dir, "# "+heading, slices.Sorted(maps.Keys(sections)))
			}
		}
		for _, promise := range promises {
			if !strings.Contains(sections["Guarantees"], "\n  - "+promise+": ") {
				t.Errorf("%s/doc.go: the guarantees have no line %q", dir, "  - "+promise+": …")
			}
		}
		if !strings.Contains(p.Doc, "▶") {
			t.Errorf("%s/doc.go does not draw the flow", dir)
		}
	}
}

// sectionsOf returns the sections of a doc comment by their headings.
func sectionsOf(text string) map[string]string {
	sections, heading := map[string]string{}, ""
	for line := range strings.Lines(text) {
		if title, found := strings.CutPrefix(line, "# "); found {
			heading, line = strings.TrimSpace(title), "\n"
		}
		sections[heading] += line
	}
	return sections
}

// ruleNumber is a number that nothing explains to a reader of the documentation.
var ruleNumber = regexp.MustCompile(`\brules? [LS]\d`)

// Every exported name, field and method has a comment, which says a rule of the API server in words, and every option
// says what happens without it.
//
// Caught: a constant, a field and a method without a comment; an option without its default; "rule L5".
func TestExportedNamesAreDocumented(t *testing.T) {
	atRoot(t)
	for _, dir := range publicPackages(t) {
		p := documented(t, dir)
		for _, s := range exported(p) {
			if strings.TrimSpace(s.doc) == "" {
				t.Errorf("%v: %s is not documented", fset.Position(s.pos), s.name)
			}
			if ruleNumber.MatchString(s.doc) {
				t.Errorf("%v: %s cites a rule by its number", fset.Position(s.pos), s.name)
			}
			isOption := strings.HasPrefix(s.name, "With")
			if isOption && !strings.Contains(strings.ToLower(s.doc), "default") {
				t.Errorf("%v: %s does not say its default", fset.Position(s.pos), s.name)
			}
		}
	}
}

// unresolved matches brackets that look like a link of a doc comment and name nothing.
var unresolved = regexp.MustCompile(`(?:^|\W)\[\*?([A-Z]\w*|[a-z]\w*\.[A-Z]\w*)(\.[A-Z]\w*)?\]`)

// Links in doc comments name existing symbols, and code blocks in them are part of a compiled file.
//
// Caught: a link to an option that was renamed; a usage that was written by hand and did not compile.
func TestDocCommentsNameWhatExists(t *testing.T) {
	atRoot(t)
	api, sources := readAPI(t), readSources(t)
	for _, dir := range publicPackages(t) {
		p := documented(t, dir)
		all := append(exported(p), symbol{name: "the package", doc: p.Doc})
		for _, s := range all {
			for _, problem := range problemsOf(p, s.doc, api, sources) {
				t.Errorf("%s, %v: %s: %s", dir, fset.Position(s.pos), s.name, problem)
			}
		}
	}
}

func problemsOf(p *doc.Package, text string, api api, sources *sources) (problems []string) {
	inText := func(parts []comment.Text) {
		for _, part := range parts {
			switch part := part.(type) {
			case comment.Plain:
				if match := unresolved.FindString(string(part)); match != "" {
					problems = append(problems, match+" names nothing")
				}
			case *comment.DocLink:
				dir, ours := strings.CutPrefix(part.ImportPath, module)
				name := strings.TrimPrefix(part.Recv+"."+part.Name, ".")
				if ours && part.Name != "" && !api.has(dir, name) {
					problems = append(problems, fmt.Sprintf("[%s.%s] names nothing", path.Base(dir), name))
				}
			}
		}
	}
	for _, b := range p.Parser().Parse(text).Content {
		switch b := b.(type) {
		case *comment.Paragraph:
			inText(b.Text)
		case *comment.List:
			for _, item := range b.Items {
				for _, b := range item.Content {
					inText(b.(*comment.Paragraph).Text)
				}
			}
		case *comment.Code:
			if _, err := format.Source([]byte(b.Text)); err == nil && !within(sources.goFiles, b.Text) {
				problems = append(problems, "stands in no Go file of the repository:\n"+b.Text)
			}
			for _, name := range regexp.MustCompile(`\bWith[A-Z]\w*`).FindAllString(b.Text, -1) {
				if !api.anywhere(name) {
					problems = append(problems, name+" names no option")
				}
			}
		}
	}
	return problems
}

// Between a fifth and two fifths of a public package's lines are comments. The root is excepted: it mostly links to the
// other packages.
//
// Caught: a page of a package that was cut to a sentence.
func TestCommentShare(t *testing.T) {
	atRoot(t)
	const least, most = 20, 42
	for _, dir := range publicPackages(t) {
		var comments, code int
		for _, file := range tree(t) {
			if path.Dir(file) != dir || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for line := range strings.Lines(text(t, file)) {
				switch line = strings.TrimSpace(line); {
				case strings.HasPrefix(line, "//"):
					comments++
				case line != "":
					code++
				}
			}
		}
		share := 100 * comments / (comments + code)
		t.Logf("%-20s %2d %% of %d lines are comments", dir, share, comments+code)
		if dir != "." && (share < least || share > most) {
			t.Errorf("%s: %d %% of the lines are comments, want %d to %d", dir, share, least, most)
		}
	}
}
