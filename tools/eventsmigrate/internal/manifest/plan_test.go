// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/goldentest"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// Each golden has the files of a module, then, under want/, the lines that change in them, and the findings.
// Caught: rules by resourceNames or for reading that count; anchors whose aliases change, too; a mask in the output; a
// remark that loses its rule; a line end that an action takes away; patches that are edited; numbers of rules reported
// where none moved; FlowSchemas taken for roles; markers that controller-gen does not read.
func TestGoldens(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { golden(t, name) })
	}
}

// module returns what a golden has before its want/, and that as a module and the facts about it.
func module(t *testing.T, archive *txtar.Archive) (input *txtar.Archive, files fstest.MapFS, facts Facts) {
	t.Helper()
	files, input = fstest.MapFS{}, &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		switch {
		case f.Name == "findings" || strings.HasPrefix(f.Name, "want/"):
			continue
		case f.Name == "facts":
			facts = readFacts(t, string(f.Data))
		default:
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		input.Files = append(input.Files, f)
	}
	return input, files, facts
}

func golden(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	input, files, facts := module(t, archive)
	got := plan(t, files, facts)
	for _, e := range got.Edits {
		input.Files = append(input.Files, txtar.File{
			Name: "want/" + e.Path, Data: []byte(goldentest.Changes(string(e.Before), string(e.After))),
		})
	}
	input.Files = append(input.Files, txtar.File{Name: "findings", Data: []byte(findings(got))})
	if *update {
		if err := os.WriteFile(name, txtar.Format(input), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(input))); diff != "" && !*update {
		t.Errorf("run with -update and look at what changed (-want +got)\n%s", diff)
	}
	sound(t, files, facts, got)
}

func readFacts(t *testing.T, text string) (facts Facts) {
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "writer":
			facts.CoreWriters = append(facts.CoreWriters, rest)
		case "falls-back":
			facts.FallsBack = true
		case "records":
			facts.Records = true
		default:
			t.Fatalf("unknown fact %q", line)
		}
	}
	return facts
}

func plan(t testing.TB, files fstest.MapFS, facts Facts) Result {
	t.Helper()
	got, err := Plan(files, facts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func findings(r Result) string {
	var text strings.Builder
	if r.Missing != nil {
		r.Findings = append(r.Findings, *r.Missing)
	}
	for _, f := range r.Findings {
		mark := "human"
		if f.Changed {
			mark = "changed"
		} else if f.Kept {
			mark = "kept"
		}
		fmt.Fprintf(&text, "%s %s:%d: %s\n", mark, f.Path, f.Line, f.Message)
	}
	return text.String()
}

// sound checks what holds of every plan.
func sound(t testing.TB, files fstest.MapFS, facts Facts, got Result) {
	t.Helper()
	after := fstest.MapFS{}
	for name, f := range files {
		after[name] = f
	}
	for _, e := range got.Edits {
		if string(e.Before) != string(files[e.Path].Data) {
			t.Errorf("%s: Before is not what the file has", e.Path)
		}
		if !inserted(string(e.Before), string(e.After)) {
			t.Errorf("%s: something is gone\n%s", e.Path, cmp.Diff(string(e.Before), string(e.After)))
		}
		after[e.Path] = &fstest.MapFile{Data: e.After}
	}
	again := plan(t, after, facts)
	for _, e := range again.Edits {
		t.Errorf("a second run edits %s\n%s", e.Path, cmp.Diff(string(e.Before), string(e.After)))
	}
}

// inserted reports whether after is before with insertions.
func inserted(before, after string) bool {
	for i := range len(after) {
		if before != "" && before[0] == after[i] {
			before = before[1:]
		}
	}
	return before == ""
}

// What others wrote, what was built and what is another module is not migrated.
// Caught: a link that is followed out of the module.
func TestTree(t *testing.T) {
	role := roleHead + "- {apiGroups: [''], resources: [events], verbs: ['*']}\n"
	files := fstest.MapFS{"nested/go.mod": {}, "link.yaml": {Data: []byte(role), Mode: fs.ModeSymlink}}
	for _, name := range []string{"a.yaml", "third_party/a.yaml", "x/bin/a.yaml", "nested/a.yaml", "testdata/a.yaml"} {
		files[name] = &fstest.MapFile{Data: []byte(role)}
	}
	if got := plan(t, files, Facts{}); len(got.Edits) != 1 || got.Edits[0].Path != "a.yaml" {
		t.Errorf("%+v", got.Edits)
	}
}

// closed is a tree with a file that cannot be read.
type closed struct{ fstest.MapFS }

func (c closed) Open(name string) (fs.File, error) {
	if name == "closed.yaml" || name == "absent" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

func (c closed) ReadFile(name string) ([]byte, error) {
	if name == "closed.yaml" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadFile(name)
}

// A file that cannot be read is a finding, and the others are edited. A root that is not there is an error.
// Caught: an error that ends the plan; a root's error that is left out.
func TestUnreadable(t *testing.T) {
	role := roleHead + "- {apiGroups: [''], resources: [events], verbs: ['*']}\n"
	got, err := Plan(closed{fstest.MapFS{"closed.yaml": {}, "open.yaml": {Data: []byte(role)}}}, Facts{})
	if err != nil || len(got.Edits) != 1 {
		t.Fatalf("%v, %d edits", err, len(got.Edits))
	}
	want := Finding{
		Path:    "closed.yaml",
		Message: "cannot be read, so its RBAC is not migrated: open closed.yaml: permission denied",
	}
	if diff := cmp.Diff(want, got.Findings[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	absent, err := fs.Sub(closed{fstest.MapFS{}}, "absent")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Plan(absent, Facts{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent root: %v", err)
	}
}
