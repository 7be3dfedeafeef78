// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// atRoot makes the root of the repository the working directory, because all file names are relative to it. Each test
// calls it first. A TestMain could not do it: the go command would not notice the change of directory, would look for the
// files elsewhere, and would reuse old results after a page has changed.
func atRoot(t *testing.T) {
	t.Helper()
	if err := toRoot(); err != nil {
		t.Fatal(err)
	}
}

var toRoot = sync.OnceValue(func() error { return os.Chdir("../..") })

// must returns what read returns, and fails the test on an error.
func must[T any](t *testing.T, read func() (T, error)) T {
	t.Helper()
	v, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// tree returns the files of the repository, with slashes.
func tree(t *testing.T) []string {
	t.Helper()
	return must(t, walkTree)
}

var walkTree = sync.OnceValues(func() (all []string, err error) {
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "node_modules"}, d.Name()):
			return filepath.SkipDir
		case !d.IsDir():
			all = append(all, filepath.ToSlash(file))
		}
		return nil
	})
	return all, err
})

// text returns the content of a file.
func text(t *testing.T, file string) string {
	t.Helper()
	return must(t, func() (string, error) { return read(file) })
}

func read(file string) (string, error) {
	content, err := os.ReadFile(filepath.FromSlash(file))
	return strings.ReplaceAll(string(content), "\r\n", "\n"), err
}

// goFile is one parsed Go file. Tests share its syntax tree, so none may change it.
type goFile struct {
	path string
	text string
	*ast.File
}

func (f *goFile) dir() string  { return path.Dir(f.path) }
func (f *goFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// fset has the positions of all goFiles.
var fset = token.NewFileSet()

// goFiles returns the Go files of all modules without those in testdata.
func goFiles(t *testing.T) []*goFile {
	t.Helper()
	return must(t, parseGoFiles)
}

var parseGoFiles = sync.OnceValues(func() (all []*goFile, err error) {
	files, err := walkTree()
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if path.Ext(name) != ".go" || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		content, err := read(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, name, content, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		all = append(all, &goFile{name, content, file})
	}
	return all, nil
})

// licensed reports whether a file needs a licence header. Code and configuration do, also in nested modules, but not the
// inputs of tests.
func licensed(file string) bool {
	if strings.Contains("/"+file, "/testdata/") {
		return false
	}
	return slices.Contains([]string{".go", ".sh", ".yml", ".yaml"}, path.Ext(file)) ||
		slices.Contains([]string{"Makefile", "run", "CODEOWNERS"}, path.Base(file))
}

// Caught: a new file without its first lines, in a nested module; a script.
func TestFilesHaveLicence(t *testing.T) {
	atRoot(t)
	const holder, licence = "Copyright 2026 The eventseries Authors.\n", "SPDX-License-Identifier: Apache-2.0\n"
	for _, file := range tree(t) {
		if !licensed(file) {
			continue
		}
		mark := "# "
		if path.Ext(file) == ".go" {
			mark = "// "
		}
		content := text(t, file)
		if strings.HasPrefix(content, "#!") {
			_, content, _ = strings.Cut(content, "\n")
		}
		want := mark + holder + mark + licence
		if !strings.HasPrefix(content, want) {
			t.Errorf("%s: want it to begin with\n%s", file, want)
		}
	}
}

// VERSIONING.md names the minors of test/compat/matrix.txt, whose first row is what go.mod requires. Every kube-apiserver
// of it can be built.
//
// Caught: a minor that is named and not tested; a go.mod with another minor than that of its directory.
func TestVersionsAreThoseOfTheMatrix(t *testing.T) {
	atRoot(t)
	minors := map[string][]string{}
	for line := range strings.Lines(text(t, "test/compat/matrix.txt")) {
		if fields := strings.Fields(line); fields[0] != "#" {
			minors[fields[0]] = append(minors[fields[0]], fields[1])
		}
	}
	clients, servers := minors["client-go"], minors["kube-apiserver"]
	if want := "\tk8s.io/client-go v" + clients[0] + "\n"; !strings.Contains(text(t, "go.mod"), want) {
		t.Errorf("go.mod has no %q", want)
	}
	for what, minors := range map[string][]string{"client-go": clients[1:], "API server": servers} {
		if want := "\n| " + what + " | " + strings.Join(minors, ", ") + " |"; !strings.Contains(text(t, "VERSIONING.md"), want) {
			t.Errorf("VERSIONING.md has no %q", want)
		}
	}
	for _, minor := range servers {
		file := "test/controlplane/" + minor + "/go.mod"
		if _, err := os.Stat(file); err != nil {
			file = "test/controlplane/go.mod"
		}
		if !strings.Contains(text(t, file), "k8s.io/kubernetes v"+minor+".") {
			t.Errorf("%s does not require Kubernetes %s", file, minor)
		}
	}
}

// Somebody who takes over an action can move its tags, so actions are pinned by digest. A workflow
// has no permissions except the ones that a job names.
//
// Caught: an action by its tag; a workflow with the default permissions; a job without its own; a pull_request_target.
func TestWorkflowsAreHardened(t *testing.T) {
	atRoot(t)
	uses := regexp.MustCompile(`(?m)^ *-? *uses: *(.*)$`)
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, file := range tree(t) {
		if !strings.HasPrefix(file, ".github/workflows/") {
			continue
		}
		content := text(t, file)
		for _, match := range uses.FindAllStringSubmatch(content, -1) {
			if !pinned.MatchString(match[1]) {
				t.Errorf("%s: %s, want owner/name@ forty hex digits # v1.2.3", file, match[1])
			}
		}
		jobs := strings.Count(content, "\n    runs-on: ")
		if !strings.Contains(content, "\npermissions: {}\n") || strings.Count(content, "\n    permissions: {") != jobs ||
			strings.Contains(content, "pull_request_target") {
			t.Errorf("%s has more rights than those that each of its %d jobs names", file, jobs)
		}
	}
}
