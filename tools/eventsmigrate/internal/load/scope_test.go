// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	}{
		{
			// Caught: tests do not count; interfaces of the old shape are overlooked.
			name: "everything that reaches a recorder, or has the shape of one", pattern: "./...",
			selected: []string{"above", "recording", "shape", "tested"},
			load:     []string{"above", "recording", "shape", "tested", "useshape"},
		},
		{
			// Caught: importers are not loaded, and nobody sees that they no longer compile.
			name: "one package, and who would notice", pattern: "./recording",
			selected: []string{"recording"}, load: []string{"above", "recording"},
		},
		{
			name: "one package that uses the old API only through another", pattern: "./above",
			selected: []string{"above"}, load: []string{"above"},
		},
		{name: "nothing", pattern: "./other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			scopes, err := project.Scopes(t.Context(), []string{test.pattern}, "")
			if err != nil {
				t.Fatal(err)
			}
			selected := scopes[0].Selected
			got := [][]string{short(slices.Sorted(maps.Keys(selected))), short(slices.Sorted(maps.Keys(scopes[0].sources(selected))))}
			if diff := cmp.Diff([][]string{test.selected, test.load}, got); diff != "" {
				t.Errorf("selected and loaded (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: the tags of GOFLAGS are overridden by none.
func TestTagsOfTheEnvironment(t *testing.T) {
	dir := moduletest.Write(t, scoped+`
-- other/tagged.go --
//go:build tagged

package other

import _ "k8s.io/client-go/tools/record"
`)
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -tags=tagged")
	project, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	scopes, err := project.Scopes(t.Context(), []string{"./other"}, "")
	if err != nil || !scopes[0].Selected["example.com/m/other"] {
		t.Errorf("%v, %v", scopes, err)
	}
}

func short(paths []string) []string {
	var names []string
	for _, path := range paths {
		name, _, _ := strings.Cut(path, " [") // of a variant for tests
		names = append(names, strings.TrimSuffix(filepath.Base(name), "_test"))
	}
	return slices.Compact(names)
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
