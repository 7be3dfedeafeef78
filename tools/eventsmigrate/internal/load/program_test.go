// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/parser"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

// The tests of a and b import the other package, which is no cycle.
const loaded = `
-- go.mod --
module example.com/m

go 1.25.0

require stubs
-- a/a.go --
package a

import (
	"example.com/m/plain"
	"k8s.io/client-go/tools/record"
)

type A struct {
	record.EventRecorder
	plain.P
}
-- a/a_test.go --
package a

import "example.com/m/b"

var _ = b.B{}
-- b/b.go --
package b

import _ "k8s.io/client-go/tools/record"

type B struct{}
-- b/b_test.go --
package b

import "example.com/m/a"

var _ = a.A{}
-- withc/withc.go --
package withc

// int one(void);
import "C"

import "k8s.io/client-go/tools/record"

func Record(r record.EventRecorder) { r.Event(nil, "", "", string(rune(C.one()))) }
-- plain/plain.go --
package plain

type P struct{}
`

// Caught: the go command compiles something; the tests of two packages wait for each other; files with cgo do not compile.
func TestLoad(t *testing.T) {
	dir := moduletest.Write(t, loaded)
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("GOFLAGS", "-toolexec=no-such-compiler")
	project, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	scopes, err := project.Scopes(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := project.Load(t.Context(), scopes, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	program := programs[0]
	var selected []string
	for _, pkg := range program.Selected {
		selected = append(selected, pkg.ID)
	}
	want := []string{
		"example.com/m/a [example.com/m/a.test]", "example.com/m/b [example.com/m/b.test]", "example.com/m/withc",
	}
	if diff := cmp.Diff(want, selected); diff != "" {
		t.Errorf("selected (-want +got):\n%s", diff)
	}
	for _, broken := range program.Broken {
		t.Errorf("%s does not compile: %v", broken.Package, broken.Errors)
	}
	for _, pkg := range program.Nodes {
		if len(program.Info(pkg).Types) == 0 {
			t.Errorf("%s has no types of its expressions", pkg.ID)
		}
	}

	// Caught: what edits import is checked anew with all that it imports, so that its types are others.
	file, err := parser.ParseFile(program.Fset, filepath.Join(dir, "b/b.go"), `package b

import (
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

var _ func(string) record.EventRecorder = recorder.Provider(nil).GetEventRecorderFor
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{program.Filename(file): file}
	errs, err := program.Recheck(t.Context(), files, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, errs := range errs {
		if pkg.PkgPath == "example.com/m/b" && len(errs) > 0 {
			t.Errorf("%s does not compile: %v", pkg.ID, errs)
		}
		if pkg.ID == "example.com/m/a [example.com/m/a.test]" && len(errs) != 1 { // it uses what the edit takes away
			t.Errorf("%s compiles", pkg.ID)
		}
	}
	if len(errs) != 3 {
		t.Errorf("checked again: %d packages, want b, its test and that of a", len(errs))
	}
}
