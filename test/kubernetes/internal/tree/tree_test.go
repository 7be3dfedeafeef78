// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package tree

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStagingModulesArePublishedOnes(t *testing.T) {
	got, err := publishedStaging([]byte("replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n)\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("replace (\n\tk8s.io/api => k8s.io/api v0.36.3\n)\n", string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, err := publishedStaging([]byte("module m\n")); err == nil {
		t.Error("a go.mod without staging modules is no error")
	}
}

// Every file has its place in the tree, and is Go.
func TestAddedFiles(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	placed := map[string]bool{}
	for _, added := range []map[string]string{added, addedAfter} {
		if err := tree.add(added); err != nil {
			t.Fatal(err)
		}
		for to, from := range added {
			placed["files/"+from] = true
			if _, err := parser.ParseFile(token.NewFileSet(), tree.file(to), nil, parser.AllErrors); err != nil {
				t.Error(err)
			}
		}
	}
	all, err := fs.Glob(files, "files/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if !placed[file] {
			t.Errorf("%s has no place in the tree", file)
		}
	}
}

// Caught: a step that failed and was marked all the same.
func TestStepsRunOnce(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	n := 0
	for _, fail := range []error{os.ErrInvalid, nil, nil} {
		_ = tree.once("step", func() error { n++; return fail })
	}
	if n != 2 {
		t.Errorf("the step ran %d times, want 2: it failed once", n)
	}
}

func TestCommandThatFailsSaysWhy(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	tree.Bin = filepath.Join(tree.Dir, "bin")
	err := tree.run(context.Background(), "go", "build", "./nosuch")
	if err == nil || !strings.Contains(err.Error(), "go build ./nosuch: exit status 1\n") {
		t.Errorf("error %v, want the command and what it printed", err)
	}
}

// Caught: a file of another package changed.
func TestImportsAreDropIns(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	const imports = "package p\n\nimport %s\n\nvar _ = events.%s\n"
	for name, test := range map[string]struct{ source, want string }{
		"recorder.go":      {fmt.Sprintf(imports, theirs, "NewBroadcaster"), fmt.Sprintf(imports, ours, "NewBroadcaster")},
		"other.go":         {fmt.Sprintf(imports, `"fmt"`, "x"), fmt.Sprintf(imports, `"fmt"`, "x")},
		"recorder_test.go": {fmt.Sprintf(imports, theirs, "x"), fmt.Sprintf(imports, theirs, "x")},
	} {
		if err := os.WriteFile(tree.file(name), []byte(test.source), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			if err := tree.dropIn(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(tree.file(name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// Caught: an added file taken for a touched one; a package without tests; results of subtests; a package that does not
// compile left out.
func TestUnitTestsOfWhatIsTouched(t *testing.T) {
	module := func(changed string) *Tree {
		tree := &Tree{Dir: t.TempDir(), Say: t.Logf}
		for name, text := range map[string]string{
			"go.mod":           "module m\n\ngo 1.25\n",
			"a/a.go":           "package a\n" + changed,
			"a/a_test.go":      "package a\nimport \"testing\"\nfunc TestA(t *testing.T) { t.Run(\"sub\", func(*testing.T) {}) }\nfunc TestB(t *testing.T) { t.Fail() }\n",
			"b/b.go":           "package b\n",
			"b/b_test.go":      "package b\n",
			"c/c.go":           "package c\n" + changed,
			"d/d_test.go":      "package d\n" + changed + "var _ = nosuch\n",
			"test/e/e_test.go": "package e\n" + changed,
		} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(tree.file(name)), 0o700), os.WriteFile(tree.file(name), []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		return tree
	}
	before, after := module(""), module("// changed\n")
	packages, err := after.Touched(before)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"./a", "./d"}, packages); diff != "" {
		t.Errorf("touched: -want +got\n%s", diff)
	}
	results, err := after.UnitTests(context.Background(), packages)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"m/a": "fail", "m/a TestA": "pass", "m/a TestB": "fail", "m/d": "fail"}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("results: -want +got\n%s", diff)
	}
}
