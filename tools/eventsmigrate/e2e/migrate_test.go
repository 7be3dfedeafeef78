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

// modules are testdata's, with the number of Events of their scenarios, and the sections of MIGRATING.md that are about them.
var modules = map[string]struct {
	events         int
	other          string // target, beside the SDK
	section, table string
}{
	"operator":   {34, "controller-runtime", "A kubebuilder project", "Old call, new call"},
	"controller": {11, "client-go", "A controller on client-go", ""},
	"wrappers":   {46, "client-go", "A library", ""},
}

// A module is migrated, compiles, and records what it recorded before. With the SDK its tests pass, too, a second run changes
// nothing, and all is as MIGRATING.md says.
func TestMigrate(t *testing.T) {
	sections := sectionsOf(t)
	for name, module := range modules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := newModule(t, filepath.Join("testdata", name))
			checkReport(t, before, sections[module.section])
			before.writeTable(sections[module.table])
			want := play(t, before.build(), module.events)
			if len(want) != module.events {
				t.Errorf("the scenario has %d Events before the migration, want %d", len(want), module.events)
			}
			t.Run("sdk", func(t *testing.T) {
				after := newModule(t, before.dir)
				after.migrateAs(name, "sdk")
				after.again()
				after.human(name)
				checkPage(t, before, after, sections[module.section], sections[module.table])
				after.run("go", "test", "-vet=off", "./...")
				compareEvents(t, want, play(t, after.build(), module.events))
				if name == "operator" {
					after.checkRole()
				}
			})
			t.Run(module.other, func(t *testing.T) {
				after := newModule(t, before.dir)
				after.migrateAs(name, module.other)
				got, want := play(t, after.build(), module.events), want
				if name == "controller" { // its client-go v0.35 has no annotations in tools/events
					got, want = unannotated(got), unannotated(want)
				}
				compareEvents(t, want, got)
			})
		})
	}
}

func compareEvents(t *testing.T, want, got []event) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Events of the scenario (-before +after):\n%s", diff)
	}
}

func unannotated(events []event) []event {
	events = slices.Clone(events)
	for i := range events {
		events[i].Annotations = ""
	}
	return events
}

// migrateAs runs the tool on the module of a name, and compares what it leaves to humans.
func (m *module) migrateAs(name, target string) {
	m.t.Helper()
	report, code := m.migrate("-target", target, "-fix")
	if !report.Written {
		m.t.Error("nothing was written")
	}
	left := leftOf(report)
	checkGolden(m.t, name+"-"+target, left)
	if want := min(len(left), 1); code != want {
		m.t.Errorf("exit code %d with %d places left, want %d", code, len(left), want)
	}
	m.run("go", "mod", "tidy")
}

// again checks that a second run changes nothing.
func (m *module) again() {
	m.t.Helper()
	files := m.files()
	second, _ := m.migrate("-fix")
	if diff := cmp.Diff(files, m.files()); diff != "" {
		m.t.Errorf("a second run changes files (-before +after):\n%s", diff)
	}
	for _, p := range append(second.Places, second.Manifests...) {
		if p.Status == "rewritten" {
			m.t.Errorf("a second run rewrites %s", p)
		}
	}
}

// checkRole checks that the role that was edited is the one that controller-gen makes of the edited markers.
func (m *module) checkRole() {
	m.t.Helper()
	file := filepath.Join(m.dir, "config", "rbac", "role.yaml")
	got, err := os.ReadFile(file)
	m.must(err)
	m.run("go", "run", "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0",
		"rbac:roleName=manager-role", "paths=./...", "output:rbac:dir=config/rbac")
	want, err := os.ReadFile(file)
	m.must(err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" || !strings.Contains(string(got), "events.k8s.io") {
		m.t.Errorf("role.yaml (-controller-gen +eventsmigrate):\n%s", diff)
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
func (m *module) human(name string) {
	m.t.Helper()
	patch, err := filepath.Abs(filepath.Join("testdata", name+".patch"))
	m.must(err)
	if _, err := os.Stat(patch); err == nil {
		m.run("git", "apply", "--whitespace=nowarn", patch)
	}
}
