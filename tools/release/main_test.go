// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// sample writes the module of testdata, with replacements of its text, and returns its directory.
func sample(t *testing.T, replacements ...string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/sample.txtar")
	if err != nil {
		t.Fatal(err)
	}
	extract(t, dir, strings.NewReplacer(replacements...).Replace(string(text)))
	return dir
}

func extract(t *testing.T, dir, files string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// do runs a command and returns what it prints, or its error.
func do(t *testing.T, dir, command string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), dir, command, &out); err != nil {
		return out.String() + err.Error()
	}
	return out.String()
}

// Caught: constants without values; promoted methods left out; parameters with names; log lines of packages that nobody
// imports; a verbosity without the values of its logger.
func TestAPI(t *testing.T) {
	dir := sample(t)
	git(t, dir, "init", "--quiet")
	git(t, dir, "commit", "--quiet", "--allow-empty", "--message", "first")
	const same = "the API is as api/ says: 33 lines\n" +
		"no release is reachable from HEAD (a tag such as v0.1.0): nothing to compare the API with\n"
	if diff := cmp.Diff(same, do(t, dir, "api-check")); diff != "" {
		t.Error(diff)
	}
	want := golden(t, dir)
	if err := os.WriteFile(filepath.Join(dir, apiDir, "gone.txt"), []byte("pkg gone, var A int\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	do(t, dir, "api")
	if diff := cmp.Diff(want, golden(t, dir)); diff != "" {
		t.Errorf("api writes something else: %s", diff)
	}
}

func golden(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, apiDir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(text)
	}
	return all
}

// Caught: a change that the check does not show.
func TestChange(t *testing.T) {
	dir := sample(t, "Fast Mode = \"fast\"\n\t", "Fast Mode = \"quick\"\n\t", `, "more", 1`, `, "cause", 1`)
	want := `the API is not what api/ says; run make api, and say the change in CHANGELOG.md:
- pkg internal/core, log Error "Lost all" more
- pkg internal/core, log Error "Lost one" more
- pkg store, const Fast Mode = "fast"
+ pkg internal/core, log Error "Lost all" cause
+ pkg internal/core, log Error "Lost one" cause
+ pkg store, const Fast Mode = "quick"`
	if diff := cmp.Diff(want, do(t, dir, "api-check")); diff != "" {
		t.Error(diff)
	}
}

// Caught: a message put together at run time that is taken for a constant; the same of a key; code that does not compile.
func TestLogsMustBeConstant(t *testing.T) {
	got := do(t, sample(t, `"Lost one")`, `err.Error())`, `"Started", "at"`, `"Started", err.Error()`), "api")
	for _, want := range []string{
		"core.go:11:2: a log line that no check can hold: the key err.Error() is no constant",
		"core.go:24:52: a log line that no check can hold: the message err.Error() is no constant",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	if got := do(t, sample(t, `"fast"`, "Unlimited"), "api"); !strings.Contains(got, "undefined: Unlimited") {
		t.Error(got)
	}
}

const released = `pkg store, const Limit untyped int = 10
pkg store, func New[K comparable](K) *Store
pkg store, type Sealed interface { Open, unexported methods }
pkg store, type Sink interface { Put }
pkg store, type Store struct, Size int
pkg store, method (*Store) Start(string)
pkg store, log Error "Lost" advice=lost
environment SDK_MODE
`

// Caught, in this order: releases of which every change passes; warnings that are not looked for; a warning for another
// symbol; minor and patch taken for the same; interfaces that may grow with a warning; names that are not compared.
func TestJudge(t *testing.T) {
	const minor, patch, major = "## [0.2.0] - 2026-12-01\n\n- ", "## [0.1.1] - 2026-12-01\n\n- ", "## [1.0.0] - 2027-01-01\n\n- "
	const unsaid = "; say it in CHANGELOG.md above [0.1.0], in an entry with ⚠ that has "
	const grown = ": an interface that users implement never grows; declare another one, and ask for it"
	const tooSmall = "v0.1.1 is a patch of v0.1.0 but changes the API; it needs the next minor version"
	for _, test := range []struct {
		name, old, now string
		sections       string // of the changelog, above that of the release
		want           string
	}{
		{"nothing", "", "", patch + "A fix.", ""},
		{"more, unreleased", "Size int\n", "Size int\npkg store, var A int\n", "## [Unreleased]\n- More.", ""},
		{"more in a minor", "Size int\n", "Size int\npkg store, var A int\n", minor + "More.", ""},
		{"more in a patch", "Size int\n", "Size int\npkg store, var A int\n", patch + "More.", tooSmall},
		{
			"another signature", "Start(string)", "Start()", minor + "Less.",
			`gone or changed: pkg store, method (*Store) Start(string)` + unsaid + `["Store" "Start"]`,
		},
		{
			"the warning for another", "Start(string)", "Start()", minor + "⚠ Sink.Start takes nothing.",
			`gone or changed: pkg store, method (*Store) Start(string)` + unsaid + `["Store" "Start"]`,
		},
		{"with a warning", "Start(string)", "Start()", "## [Unreleased]\n\n" + minor + "⚠ `Store.Start`\n  takes nothing.", ""},
		{"a warning of an older section", "Start(string)", "Start()", minor + "Less.\n\n## [0.1.0] - 2026-11-21\n- ⚠ Store.Start.",
			`gone or changed: pkg store, method (*Store) Start(string)` + unsaid + `["Store" "Start"]`},
		{"with a warning, in a patch", "= 10", "= 9", patch + "⚠ Limit is 9.", tooSmall},
		{"with a warning, in a major", "= 10", "= 9", major + "⚠ Limit is 9.", ""},
		{"an interface grows", "{ Put }", "{ Flush, Put }", minor + "⚠ Sink.Flush.", "pkg store, type Sink interface { Put }" + grown},
		{
			"an interface is sealed", "{ Put }", "{ Put, unexported methods }", minor + "⚠ Sink is sealed.",
			"pkg store, type Sink interface { Put }" + grown,
		},
		{"a sealed interface grows", "{ Open, un", "{ Close, Open, un", minor + "⚠ Sealed has Close.", ""},
		{"a line has another key", "advice=lost", "advice=lost object", minor + "More.", ""},
		{
			"a line has one key less", "\"Lost\" advice=lost", "\"Lost\"", minor + "Less.",
			`gone or changed: pkg store, log Error "Lost" advice=lost` + unsaid + `["Lost"]`,
		},
		{
			"another name", "SDK_MODE", "STORE_MODE", minor + "Renamed.",
			"gone or changed: environment SDK_MODE" + unsaid + `["SDK_MODE"]`,
		},
		{
			"a generic function", "New[K comparable](K)", "New[K any](K)", minor + "Other.",
			"gone or changed: pkg store, func New[K comparable](K) *Store" + unsaid + `["New"]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := strings.Replace(released, test.old, test.now, 1)
			got := ""
			if err := judge("v0.1.0", linesOf(released), linesOf(now), "# Changelog\n\n"+test.sections+"\n"); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if err := judge("v1.1.0", linesOf(released), nil, "## [1.2.0] - 2027-01-01\n"); err == nil ||
		!strings.Contains(err.Error(), "v1.2.0 breaks what v1.1.0 promised; it needs a new major version") {
		t.Error(err)
	}
}

// Caught: tags of nested modules and candidates taken for releases; the oldest release; lines of the working tree.
func TestLastRelease(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	for _, tag := range []string{"v0.9.0", "v0.10.0", "v0.11.0-rc.1", "contrib/otel/v0.12.0", "v1"} {
		extract(t, dir, "-- api/sdk.txt --\n# A head.\npkg sdk, const Tag = "+tag+"\n")
		git(t, dir, "add", "--all")
		git(t, dir, "commit", "--quiet", "--message", tag)
		git(t, dir, "tag", tag)
	}
	version, lines, err := lastRelease(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"v0.10.0", "pkg sdk, const Tag = v0.10.0"}, append([]string{version}, lines...)); diff != "" {
		t.Error(diff)
	}
}

// git runs git without the configuration of this machine.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
