// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// All blocks of code and output in pages come from code that is built, run and tested:
//
//	go             stands line by line, but for the indentation, in a Go file of the repository; or is a whole file
//	               that passes go vet. It is formatted.
//	text           is the Output of an Example, a part of a golden file (*.txt), of a page's template or of
//	               what `make demo` prints; or a drawing
//	yaml, json     are valid
//	sh             see TestPagesNameWhatExists
//	release-note   and docs are parts of Kubernetes' template of pull requests
//	the others     are not looked at: the tests of tools/eventsmigrate run the migrations
//
// Caught: a changed note in a test that docs/testing.md still showed as it was; a failure report written by hand; a
// block of "golang".
func TestDocsShowWhatIsTested(t *testing.T) {
	atRoot(t)
	t.Parallel()
	sources := readSources(t)
	checks := map[string]func(*testing.T, block) error{
		"go":      sources.checkGo,
		"text":    sources.checkText,
		"json":    func(_ *testing.T, b block) error { return json.Unmarshal([]byte(b.text), new(any)) },
		"yaml":    func(_ *testing.T, b block) error { return yaml.Unmarshal([]byte(b.text), new(any)) },
		"sh":      nil,
		"console": nil,
		"diff":    nil,
		"mermaid": nil,
		"":        nil,

		"release-note": nil,
		"docs":         nil,
	}
	for _, p := range pages(t) {
		for _, problem := range p.problems {
			t.Errorf("%s: %s", p.path, problem)
		}
		for _, b := range p.blocks {
			check, known := checks[b.language]
			if !known {
				t.Errorf("%s:%d: a block of %q, want one of go, text, sh, console, yaml, json, diff, mermaid",
					p.path, b.line, b.language)
			}
			if check == nil {
				continue
			}
			b.page = p.path
			if err := check(t, b); err != nil {
				t.Errorf("%s:%d: the block of %s %v:\n%s", p.path, b.line, b.language, err, b.text)
			}
		}
	}
}

// sources has the texts that blocks are compared with.
type sources struct {
	goFiles []string
	texts   []string
}

func readSources(t *testing.T) *sources {
	t.Helper()
	s := &sources{}
	for _, file := range goFiles(t) {
		s.goFiles = append(s.goFiles, plain(file.text))
		if file.isTest() {
			for _, example := range doc.Examples(file.File) {
				s.texts = append(s.texts, plain(example.Output))
			}
		}
	}
	for _, file := range tree(t) {
		if slices.Contains([]string{".txt", ".tmpl"}, filepath.Ext(file)) {
			s.texts = append(s.texts, plain(text(t, file)))
		}
	}
	return s
}

// plain is text without indentation. It begins and ends a line, so that a part of it does as well.
func plain(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

func within(all []string, part string) bool {
	part = plain(part)
	return slices.ContainsFunc(all, func(whole string) bool { return strings.Contains(whole, part) })
}

func (s *sources) checkGo(t *testing.T, b block) error {
	// A part of a declaration is no Go by itself, and need not be.
	if formatted, err := format.Source([]byte(b.text)); err == nil && string(formatted) != b.text {
		return fmt.Errorf("is not formatted, want\n%s", formatted)
	}
	if within(s.goFiles, b.text) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", b.text, parser.ImportsOnly)
	if err != nil {
		return fmt.Errorf("stands in no Go file of the repository, and is none")
	}
	return vet(t, file.Name.Name, b)
}

// vet runs go vet on a block that is a whole file, in the SDK's own module. A test is vetted with the files of its
// package on the same page.
func vet(t *testing.T, pkg string, b block) error {
	isTest := func(source string) bool { return strings.Contains(source, `"testing"`) }
	files := []string{b.text}
	for _, other := range parsePage(b.page, text(t, b.page)).blocks {
		if isTest(b.text) && !isTest(other.text) && strings.HasPrefix(other.text, "package "+pkg+"\n") {
			files = append(files, other.text)
		}
	}
	args, dir := []string{"vet"}, t.TempDir()
	for i, source := range files {
		name := filepath.Join(dir, fmt.Sprintf("page%d.go", i))
		if isTest(source) {
			name = strings.TrimSuffix(name, ".go") + "_test.go"
		}
		if err := os.WriteFile(name, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("is a file that does not pass go vet: %w\n%s", err, out)
	}
	return nil
}

func (s *sources) checkText(t *testing.T, b block) error {
	if strings.HasPrefix(b.text, "A node: ") {
		demo, err := exec.CommandContext(t.Context(), "go", "run", "./examples/kubelet-migration").Output()
		if err != nil {
			t.Fatalf("the demo: %v", err)
		}
		s.texts = append(s.texts, plain(string(demo)))
	}
	if strings.ContainsAny(b.text, "▶◀▲▼") || within(s.texts, b.text) {
		return nil
	}
	return errors.New("is no Output of an Example or of the demo, no part of a golden file, and no drawing")
}
