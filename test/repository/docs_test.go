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
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/events/eventstest"
)

// What a page shows is what is built, run and tested:
//
//	go             stands line by line, but for the indentation, in a Go file of the repository; or is a whole file
//	               that passes go vet. It is formatted.
//	text           the Output of an Example, a part of a golden file (*.txt), of a page's template or of what
//	               `make demo` prints; a list of paths that exist; or a drawing
//	sh, console    see TestDocsNameWhatExists
//	yaml           is valid, and its RBAC lets a component record
//	json           is valid
//	diff, mermaid  are not looked at here: the tests of tools/eventsmigrate run the migrations
//
// Caught: a changed note in a test that docs/testing.md still showed as it was; a failure report written by hand; a
// count of the demo in the README; a package that DESIGN.md names and that is gone; a block of "golang".
func TestDocsShowWhatIsTested(t *testing.T) {
	atRoot(t)
	t.Parallel()
	sources := readSources(t)
	checks := map[string]func(*testing.T, block) error{
		"go":      sources.checkGo,
		"text":    sources.checkText,
		"json":    func(_ *testing.T, b block) error { return json.Unmarshal([]byte(b.text), new(any)) },
		"yaml":    checkYAML,
		"sh":      nil,
		"console": nil,
		"diff":    nil,
		"mermaid": nil,
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
	demo    string // the output of the demo, after the first block that needs it
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
		if slices.Contains([]string{".txt", ".tmpl"}, path.Ext(file)) {
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
	if strings.ContainsAny(b.text, "▶◀▲▼") || within(s.texts, b.text) {
		return nil
	}
	if strings.HasPrefix(b.text, "A node: ") {
		if s.demo == "" {
			out, err := exec.CommandContext(t.Context(), "go", "run", "./examples/kubelet-migration").Output()
			if err != nil {
				t.Fatalf("the demo: %v", err)
			}
			s.demo = plain(string(out))
		}
		if within([]string{s.demo}, b.text) {
			return nil
		}
		return fmt.Errorf("is not what the demo prints:\n%s", s.demo)
	}
	if missing := missingPaths(b); missing != "" {
		return fmt.Errorf("is no Output of an Example, no part of a golden file, no drawing, and there is no file %s",
			missing)
	}
	return nil
}

// missingPaths returns a path of a list that does not exist. Each line begins with paths, and two spaces before what is
// said of them; an indented line's are below the last one that is not.
func missingPaths(b block) string {
	parent := ""
	for line := range strings.Lines(b.text) {
		names, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		for _, name := range strings.Fields(names) {
			file := path.Join(path.Dir(b.page), name)
			if strings.HasPrefix(line, " ") {
				file = path.Join(parent, name)
			} else {
				parent = file
			}
			if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
				return file
			}
		}
	}
	return ""
}

// checkYAML checks RBAC that is shown: whole objects, a part that begins with "rules:", or a list of rules.
//
// Caught: a rule of the README without patch; "apiGroup:" in a rule.
func checkYAML(_ *testing.T, b block) error {
	manifest := b.text
	if strings.HasPrefix(manifest, "- ") {
		manifest = "rules:\n" + manifest
	}
	if strings.HasPrefix(manifest, "rules:") {
		manifest = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n" + manifest
	}
	if err := yaml.Unmarshal([]byte(manifest), new(any)); err != nil || !strings.Contains(manifest, "events.k8s.io") {
		return err
	}
	rules, err := eventstest.ReadRBAC(fstest.MapFS{"rbac.yaml": {Data: []byte(manifest)}})
	for namespace := range rules {
		request := eventstest.Request{Group: "events.k8s.io", Resource: "events", Namespace: namespace}
		create, patch := request, request
		create.Verb, patch.Verb = "create", "patch"
		if rules.Allow(create) && rules.Allow(patch) {
			return nil
		}
	}
	return errors.Join(errors.New("does not let a component create and patch events of events.k8s.io"), err)
}
