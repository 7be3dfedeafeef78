// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// modules are testdata's, with the number of Events of their scenarios.
var modules = map[string]struct {
	events  int
	targets []string
}{
	"operator":   {34, []string{"sdk", "controller-runtime"}},
	"controller": {11, []string{"sdk", "client-go"}},
	"wrappers":   {46, []string{"sdk", "client-go"}},
}

// A module is migrated, builds, passes its tests, and records what it recorded before.
func TestMigrate(t *testing.T) {
	for name, module := range modules {
		t.Run(name, func(t *testing.T) {
			before := newModule(t, name)
			before.run("go", "test", "./...")
			calls := oldCalls(t, before.dir)
			want := play(t, before.build(), module.events)
			if len(want) != module.events {
				t.Errorf("the scenario has %d Events before the migration, want %d", len(want), module.events)
			}
			for _, target := range module.targets {
				t.Run(target, func(t *testing.T) {
					after := newModule(t, name)
					migrate(t, after, name, target)
					checkCalls(t, calls, oldCalls(t, after.dir))
					human(t, after, name+"-"+target)
					after.test()
					got, want := play(t, after.build(), module.events), want
					if name == "controller" && target == "client-go" { // its v0.35 has no annotations in tools/events
						got, want = unannotated(got), unannotated(want)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("Events of the scenario (-before +after):\n%s", diff)
					}
				})
			}
		})
	}
}

func unannotated(events []event) []event {
	events = slices.Clone(events)
	for i := range events {
		events[i].Annotations = ""
	}
	return events
}

// migrate runs the tool twice.
func migrate(t *testing.T, m *module, name, target string) {
	t.Helper()
	first, code := m.migrate("-target", target, "-fix")
	if !first.Written {
		t.Error("nothing was written")
	}
	left := leftOf(first)
	checkGolden(t, name+"-"+target, left)
	if want := min(len(left), 1); code != want {
		t.Errorf("exit code %d with %d places left, want %d", code, len(left), want)
	}
	m.run("go", "mod", "tidy")
	m.run("go", "build", "./...")
	m.run("go", "vet", "./...")

	files := m.files()
	second, again := m.migrate("-target", target, "-fix")
	if diff := cmp.Diff(files, m.files()); diff != "" {
		t.Errorf("a second run changes files (-before +after):\n%s", diff)
	}
	if again > code { // a wrapper's action is asked for once
		t.Errorf("exit code %d of a second run, %d of the first", again, code)
	}
	for _, p := range append(second.Places, second.Manifests...) {
		if p.Status == "rewritten" {
			t.Errorf("a second run rewrites %s", p)
		}
	}
}

func (p place) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Rule, p.Message)
}

// leftOf is what the tool leaves to humans.
func leftOf(r *report) (left []string) {
	for _, p := range append(r.Places, r.Manifests...) {
		if p.Status == "human" {
			left = append(left, p.String())
		}
	}
	return left
}

// checkCalls checks that at least 95 of 100 calls of the old shape are gone.
func checkCalls(t *testing.T, before, after int) {
	t.Helper()
	share := 100 * float64(before-after) / float64(before)
	t.Logf("%d of %d calls rewritten, %.1f %%", before-after, before, share)
	if share < 95 {
		t.Errorf("%.1f %% of the calls are rewritten, want at least 95 %%", share)
	}
}

func checkGolden(t *testing.T, name string, lines []string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	got := strings.Join(append(lines, ""), "\n")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("what is left to humans (-want +got):\n%s", diff)
	}
}

// human does what the tool has left to do, if there is a patch for it.
func human(t *testing.T, m *module, name string) {
	t.Helper()
	patch, err := filepath.Abs(filepath.Join("testdata", "human", name+".patch"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(patch); err == nil {
		m.run("git", "apply", "--whitespace=nowarn", patch)
	}
}
