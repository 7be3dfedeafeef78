// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package promise

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/release/internal/golden"
	"github.com/eventseries/eventseries/tools/release/internal/repotest"
	"github.com/eventseries/eventseries/tools/release/internal/surface"
)

// before is a module with one release.
const before = `
-- go.mod --
module example.com/sdk

go 1.25.0
-- store/store.go --
package store

type Sink interface{ Put(name string) error }

type Sealed interface {
	Open()
	sealed()
}

type Store struct{ Size int }

func (s *Store) Start(name string) {}

const Limit = 10

var variable = "SDK_MODE"
-- CHANGELOG.md --
# Changelog

## [0.1.0] - 2026-11-21

- First.
`

// What stands above the section of the release.
const (
	minor = "## [0.2.0] - 2026-12-01\n\n- "
	patch = "## [0.1.1] - 2026-12-01\n\n- "
)

const startChanged = "store.Store.Start: changed from func(string) to func(); " +
	`say it in CHANGELOG.md above [0.1.0], in an entry with ⚠ that has ["store" "Store.Start"]`

// changed are states of the module after its release.
var changed = []struct {
	name     string
	replace  []string // in store.go
	sections string   // above that of 0.1.0
	want     string   // the error's lines
}{
	{name: "nothing"},
	{name: "a fix", replace: []string{"Start(name string) {}", "Start(n string) {}"}, sections: patch + "A fix."},
	{name: "more, unreleased", replace: []string{"Size int", "Size, Used int"}, sections: "## [Unreleased]\n- More."},
	{name: "more in a minor", replace: []string{"Size int", "Size, Used int"}, sections: minor + "More."},
	{
		name: "more in a patch", replace: []string{"Size int", "Size, Used int"}, sections: patch + "More.",
		want: "v0.1.1 is a patch of v0.1.0 but changes the API (store.Store.Used); " +
			"it needs the next minor version",
	},
	{
		name: "another signature", replace: []string{"Start(name string)", "Start()"}, sections: minor + "Less.",
		want: startChanged,
	},
	{
		name: "the warning for another", replace: []string{"Start(name string)", "Start()"},
		sections: minor + "⚠ store: Sink.Start takes nothing.",
		want:     startChanged,
	},
	{
		name: "with a warning", replace: []string{"Start(name string)", "Start()"},
		sections: "## [Unreleased]\n\n" + minor + "⚠ store: Store.Start takes nothing.",
	},
	{
		name: "with a warning, in a patch", replace: []string{"Limit = 10", "Limit = 9"},
		sections: patch + "⚠ store: Limit is 9.",
		want: "v0.1.1 is a patch of v0.1.0 but changes the API (store.Limit); " +
			"it needs the next minor version",
	},
	{
		name: "an interface grows", replace: []string{"error }", "error; Flush() }"},
		sections: minor + "⚠ store: Sink.Flush.",
		want: "store.Sink.Flush: a method more in an interface that users implement, which never grows; " +
			"declare another interface and ask for it",
	},
	{
		name:     "an interface grows by another",
		replace:  []string{"error }", "error; Flusher }\n\ntype Flusher interface{ Flush() }"},
		sections: minor + "⚠ store: Flusher.Flush, and so Sink.Flush.",
		want: "store.Sink.Flush: a method more in an interface that users implement, which never grows; " +
			"declare another interface and ask for it",
	},
	{
		name: "an interface is sealed", replace: []string{"error }", "error; sealed() }"},
		sections: minor + "⚠ store: Sink.sealed.",
		want: "store.Sink.sealed: a method more in an interface that users implement, which never grows; " +
			"declare another interface and ask for it",
	},
	{name: "a sealed interface grows", replace: []string{"Open()", "Open()\n\tClose()"}, sections: minor + "More."},
	{
		name: "another name", replace: []string{"SDK_MODE", "STORE_MODE"}, sections: minor + "Renamed.",
		want: "SDK_MODE: gone, environment SDK_MODE; " +
			`say it in CHANGELOG.md above [0.1.0], in an entry with ⚠ that has ["SDK_MODE"]`,
	},
	{
		name: "a package is no longer public", replace: []string{"package store", "package main\n\nfunc main() {}"},
		sections: minor + "⚠ store is gone, with SDK_MODE.",
	},
}

// Caught, in this order: releases of which every change passes; warnings that are not looked for; a warning for another
// symbol; minor and patch taken for the same; interfaces that may grow with a warning, or by an embedded interface;
// names whose golden file is not compared.
func TestCheck(t *testing.T) {
	for _, test := range changed {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			repository := repotest.New(t, before)
			release(t, repository, "v0.1.0")
			after := strings.NewReplacer(test.replace...).Replace(before)
			repository.Write(strings.Replace(after, "## [0.1.0]", test.sections+"\n\n## [0.1.0]", 1))
			rewrite(t, repository)
			got := ""
			if err := Check(t.Context(), repository.Dir, "", &bytes.Buffer{}); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// release commits and tags what is in the working tree, with its golden files.
func release(t *testing.T, repository *repotest.Repository, version string) {
	t.Helper()
	rewrite(t, repository)
	repository.Commit("")
	repository.Git("tag", version)
}

// rewrite writes the golden files, as make api does.
func rewrite(t *testing.T, repository *repotest.Repository) {
	t.Helper()
	m, err := surface.Load(t.Context(), repository.Dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := golden.Of(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Write(repository.Dir + "/" + golden.Dir); err != nil {
		t.Fatal(err)
	}
}

// Before the first release there is nothing to compare with, and that is said.
func TestCheckBeforeTheFirstRelease(t *testing.T) {
	repository := repotest.New(t, before)
	rewrite(t, repository)
	var said bytes.Buffer
	if err := Check(t.Context(), repository.Dir, "", &said); err != nil {
		t.Fatal(err)
	}
	const want = "the API is as api/ says: 2 files\n" +
		"no release is reachable from HEAD (a tag such as v0.1.0): nothing to compare the API with\n"
	if diff := cmp.Diff(want, said.String()); diff != "" {
		t.Error(diff)
	}
	repository.Write("-- api/store.txt --\npkg store, type Sink struct\n")
	if err := Check(t.Context(), repository.Dir, "", &said); err == nil || !strings.Contains(err.Error(), "run make api") {
		t.Errorf("got %v", err)
	}
}

// A release that is tagged already is compared with the one before.
//
// Caught: a release that is compared with itself.
func TestCheckOfATag(t *testing.T) {
	repository := repotest.New(t, before)
	release(t, repository, "v0.1.0")
	repository.Write(strings.Replace(before, "Start(name string)", "Start()", 1))
	release(t, repository, "v0.2.0")
	for next, want := range map[string]string{"": "", "v0.2.0": startChanged} {
		got := ""
		if err := Check(t.Context(), repository.Dir, next, &bytes.Buffer{}); err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", next, diff)
		}
	}
}

// A stable module breaks nothing under its path.
func TestJudgeOfMajor(t *testing.T) {
	changes := []Change{{Words: []string{"store", "Limit"}, What: "removed"}}
	const want = "v1.3.0 breaks what v1.2.0 promised (store.Limit); it needs a new major version, " +
		"under another module path"
	got := fmt.Sprint(size("v1.2.0", "v1.3.0", []string{changes[0].Name()}, nil))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A log line may gain keys; a line that is gone or that says something else has to be named by its message.
//
// Caught: a key at the beginning taken for one at the end.
func TestSaid(t *testing.T) {
	old := []string{
		`pkg a, log Error "Lost" reason`,
		`pkg a, log Error "Kept" reason`,
		`pkg a, log Info "Said \"so\""`,
	}
	now := []string{
		`pkg a, log Error "Lost" reason count`,
		`pkg a, log Error "Kept" count reason`,
	}
	want := []Change{
		{Words: []string{"Lost"}, What: "more keys", Compatible: true},
		{Words: []string{"Kept"}, What: `gone, pkg a, log Error "Kept" reason`},
		{Words: []string{`Said "so"`}, What: `gone, pkg a, log Info "Said \"so\""`},
		{Words: []string{"Kept"}, What: `new, pkg a, log Error "Kept" count reason`, Compatible: true},
	}
	if diff := cmp.Diff(want, Said(old, now)); diff != "" {
		t.Error(diff)
	}
}
