// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"strings"
	"sync"
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

// Caught: the go command compiles the packages that are checked from source; the tests of two packages wait for each other;
// files with cgo do not compile.
func TestLoad(t *testing.T) {
	t.Setenv("CGO_ENABLED", "1")
	project, err := Open(t.Context(), moduletest.Write(t, loaded))
	if err != nil {
		t.Fatal(err)
	}
	scope, err := project.Scope(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	var told sync.Map
	program, err := project.Load(t.Context(), scope, func(format string, args ...any) {
		told.Store(fmt.Sprintf(format, args...), true)
	})
	if err != nil {
		t.Fatal(err)
	}
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
		for path, imported := range pkg.Imports {
			if imported.ExportFile != "" && isMain(imported) && path != "example.com/m/plain" {
				t.Errorf("the go command has compiled %s for %s", path, pkg.ID)
			}
		}
		if program.Info(pkg) == nil {
			t.Errorf("%s has no types of its expressions", pkg.ID)
		}
	}
	// Caught: nothing is said while the go command compiles.
	compiling := false
	for text := range told.Range {
		compiling = compiling || strings.HasPrefix(text.(string), "compiling what 3 packages import: example.com/m/plain, ")
	}
	if !compiling {
		t.Error("nothing was told of the compilation of example.com/m/plain")
	}
	for _, path := range []string{"example.com/m/plain", "k8s.io/client-go/tools/record"} {
		if pkg := program.Imported(path); pkg == nil || pkg.ExportFile == "" {
			t.Errorf("%s has no export data", path)
		}
	}
}
