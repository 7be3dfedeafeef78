// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/release/internal/repotest"
	"github.com/eventseries/eventseries/tools/release/internal/surface"
)

// load puts the sample in a directory, changed by some replacements, and reads it.
func load(t *testing.T, replacements ...string) (dir string, m *surface.Module) {
	t.Helper()
	sample, err := os.ReadFile("testdata/sample.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	repotest.Extract(t, dir, strings.NewReplacer(replacements...).Replace(string(sample)))
	m, err = surface.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// Caught: constants without values; promoted methods left out; parameters with names; log lines of packages that nobody
// imports; a verbosity without the values of its logger.
func TestOf(t *testing.T) {
	dir, m := load(t)
	want, err := read(filepath.Join(dir, Dir))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Of(m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(want), plain(got)); diff != "" {
		t.Error(diff)
	}
}

func plain(files Files) map[string]string {
	all := map[string]string{}
	for name, content := range files {
		all[name] = string(content)
	}
	return all
}

// Caught: a change that the check does not show; a file that is left when its package is gone.
func TestCheck(t *testing.T) {
	dir, m := load(t, "Fast Mode = \"fast\"\n\t", "Fast Mode = \"quick\"\n\t", `, "more", 1`, `, "cause", 1`)
	dir = filepath.Join(dir, Dir)
	if err := os.WriteFile(filepath.Join(dir, "gone.txt"), []byte("pkg gone, var A int\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := Of(m)
	if err != nil {
		t.Fatal(err)
	}
	const want = `the API is not what api/ says; run make api, and say the change in CHANGELOG.md:
api/gone.txt
- pkg gone, var A int
api/logs.txt
+ pkg internal/core, log Error "Lost all" cause
- pkg internal/core, log Error "Lost all" more
+ pkg internal/core, log Error "Lost one" cause
- pkg internal/core, log Error "Lost one" more
api/store.txt
- pkg store, const Fast Mode = "fast"
+ pkg store, const Fast Mode = "quick"
`
	if diff := cmp.Diff(want, fmt.Sprint(files.Check(dir))); diff != "" {
		t.Error(diff)
	}
	if err := files.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := files.Check(dir); err != nil {
		t.Errorf("after Write: %v", err)
	}
}

// Caught: a message put together at run time that is taken for a constant; the same of a key.
func TestLogsMustBeConstant(t *testing.T) {
	_, m := load(t, `"Lost one")`, `err.Error())`, `"Started", "at"`, `"Started", err.Error()`)
	_, err := Of(m)
	for _, want := range []string{
		"core.go:11:2: the key err.Error() is no constant",
		"core.go:24:52: the message message is no constant where it is passed as err.Error()",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}
