// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

const scoped = `
-- go.mod --
module example.com/m

go 1.25.0

require stubs
-- recording/recording.go --
package recording

import _ "k8s.io/client-go/tools/record"
-- above/above.go --
package above

import _ "example.com/m/recording"
-- tested/tested.go --
package tested
-- tested/tested_test.go --
package tested_test

import _ "k8s.io/client-go/tools/record"
-- shape/shape.go --
package shape

type Recorder interface {
	Eventf(object any, eventtype, reason, messageFmt string, args ...any)
}
-- useshape/useshape.go --
package useshape

import _ "example.com/m/shape"
-- other/other.go --
package other
`

func TestScope(t *testing.T) {
	project, err := Open(t.Context(), moduletest.Write(t, scoped))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name           string
		pattern        string
		selected, load []string
		old            bool
	}{
		{
			// Caught: tests do not count; interfaces of the old shape are overlooked.
			name: "everything that reaches a recorder, or has the shape of one", pattern: "./...",
			selected: []string{"above", "recording", "shape", "tested"},
			load:     []string{"above", "recording", "shape", "tested", "useshape"}, old: true,
		},
		{
			// Caught: importers are not loaded, and nobody sees that they no longer compile.
			name: "one package, and who would notice", pattern: "./recording",
			selected: []string{"recording"}, load: []string{"above", "recording"}, old: true,
		},
		{
			name: "one package that uses the old API only through another", pattern: "./above",
			selected: []string{"above"}, load: []string{"above"},
		},
		{name: "nothing", pattern: "./other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			scope, err := project.Scope(t.Context(), []string{test.pattern}, "")
			if err != nil {
				t.Fatal(err)
			}
			got := [][]string{short(slices.Sorted(maps.Keys(scope.Selected))), short(scope.Load)}
			if diff := cmp.Diff([][]string{test.selected, test.load}, got); diff != "" {
				t.Errorf("selected and loaded (-want +got):\n%s", diff)
			}
			if scope.Old != test.old {
				t.Errorf("Old = %v, want %v", scope.Old, test.old)
			}
		})
	}
}

func short(paths []string) []string {
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

func TestCheck(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	for dir, text := range map[string]string{
		with: "package events\n\ntype EventRecorderLogger = events.EventRecorderLogger\n", without: "package events\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, "tools", "events"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "tools", "events", "interfaces.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, target string
		versions     map[string]dependency
		want         string
	}{
		{name: "new enough", target: "sdk", versions: map[string]dependency{clientGo: {version: "v0.35.0"}}},
		{
			// Caught: versions are compared as text.
			name: "client-go is too old for the SDK", target: "sdk",
			versions: map[string]dependency{clientGo: {version: "v0.9.0"}},
			want: "-target=sdk needs k8s.io/client-go v0.35.0, the module has v0.9.0: raise it first, " +
				"go get k8s.io/client-go@v0.35.0",
		},
		{
			// Caught: go get is advised, which changes nothing behind a replace.
			name: "client-go is replaced by a version that is too old", target: "sdk",
			versions: map[string]dependency{
				clientGo: {version: "v0.29.3", replace: "k8s.io/client-go => k8s.io/client-go v0.29.3"},
			},
			want: "-target=sdk needs k8s.io/client-go v0.35.0, the module has v0.29.3: raise it first, in the line of " +
				"go.mod or go.work that replaces it (k8s.io/client-go => k8s.io/client-go v0.29.3)",
		},
		{name: "a directory instead", target: "sdk", versions: map[string]dependency{clientGo: {dir: with}}},
		{
			name: "controller-runtime is too old", target: "controller-runtime",
			versions: map[string]dependency{controllerRuntime: {version: "v0.22.4"}},
			want: "-target=controller-runtime needs sigs.k8s.io/controller-runtime v0.23.0, the module has v0.22.4: " +
				"raise it first, go get sigs.k8s.io/controller-runtime@v0.23.0",
		},
		{
			name: "no controller-runtime", target: "controller-runtime",
			versions: map[string]dependency{clientGo: {version: "v0.37.0"}},
			want: "the module does not use sigs.k8s.io/controller-runtime: " +
				"choose -target=sdk or -target=client-go",
		},
		{
			name: "client-go without contextual logging", target: "client-go",
			versions: map[string]dependency{clientGo: {version: "v0.28.0", dir: without}},
			want: "k8s.io/client-go v0.28.0 has no EventRecorderLogger in tools/events: " +
				"raise it first, go get k8s.io/client-go@v0.35.0",
		},
		{
			name: "client-go with contextual logging", target: "client-go",
			versions: map[string]dependency{clientGo: {version: "v0.31.0", dir: with}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := (&Scope{versions: test.versions}).Check(test.target); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Check (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: a tag of the system is set; a file of another system gets a build; all tags are set where one is enough; the tags
// that all builds have are forgotten.
func TestTags(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name, constraint, base string
		want                   []string
	}{
		{name: "a.go", constraint: "e2e", want: []string{"e2e"}},
		{name: "a.go", constraint: "e2e && !fast", base: "extra", want: []string{"extra,e2e"}},
		{name: "a.go", constraint: "(slow || e2e) && go1.20", want: []string{"slow"}},
		{name: "a.go", constraint: "slow && e2e", want: []string{"slow,e2e"}},
		{name: "a.go", constraint: "plan9 && e2e"},
		{name: "a_plan9.go", constraint: "e2e"},
		{name: "a.go", constraint: "ignore"},
	} {
		t.Run(test.name+" "+test.constraint, func(t *testing.T) {
			name := filepath.Join(dir, test.name)
			text := "//go:build " + test.constraint + "\n\npackage a\n"
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, Tags([]string{name, name}, test.base)); diff != "" {
				t.Errorf("Tags (-want +got):\n%s", diff)
			}
		})
	}
}
