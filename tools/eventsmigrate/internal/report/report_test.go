// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a rule of which everything stays has a row with nothing in it.
// Caught: line numbers of the new file that drift behind unchanged lines within a hunk; a new file that git looks for.
func TestDiffIsWhatGitApplies(t *testing.T) {
	dir := t.TempDir()
	r := &Report{Files: []File{{Path: "new.go", After: []byte("package new\n")}}}
	for n := range 10 {
		var before, after strings.Builder
		for line := range 200 {
			fmt.Fprintf(&before, "line %d\n}\n", line)
			switch line % (n + 3) {
			case 1: // gone
			case n:
				fmt.Fprintf(&after, "line %d\nnew\n}\n", line)
			default:
				fmt.Fprintf(&after, "line %d\n}\n", line)
			}
		}
		file := File{
			Path: fmt.Sprintf("%d.go", n), Before: []byte(before.String()), After: []byte(after.String()),
		}
		if n%2 == 1 { // no newline at the end
			file.Before, file.After = file.Before[:before.Len()-1], append(file.After, "end"...)
		}
		if err := os.WriteFile(filepath.Join(dir, file.Path), file.Before, 0o644); err != nil {
			t.Fatal(err)
		}
		r.Files = append(r.Files, file)
	}
	diff := r.Unified()

	// Git looks at the numbers of the old file only. A reviewer sees both.
	oldEnd, grown := 0, 0 // of the last hunk
	for line := range strings.Lines(diff) {
		var from, old, to, new int
		if strings.HasPrefix(line, "+++") {
			oldEnd, grown = 0, 0
		} else if n, _ := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &from, &old, &to, &new); n == 4 {
			if old > 0 && (from <= oldEnd || to != from+grown) {
				t.Errorf("%s after line %d of the old file, and %d lines more in the new one", line, oldEnd, grown)
			}
			oldEnd, grown = from+old-1, grown+new-old
		}
	}

	command := exec.Command("git", "apply", "-")
	command.Dir, command.Stdin = dir, strings.NewReader(diff)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	for _, file := range r.Files {
		got, err := os.ReadFile(filepath.Join(dir, file.Path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(file.After), string(got)); diff != "" {
			t.Errorf("%s after git apply (-want +got):\n%s", file.Path, diff)
		}
	}
}

// Caught: lines go and come back as they were, since their like is elsewhere in the file.
func TestDiffIsSmall(t *testing.T) {
	r := &Report{Files: []File{{
		Path:   "a.go",
		Before: []byte("one\n}\n\ntwo\n}\n\n}\n"),
		After:  []byte("ONE\n}\n\nTWO\n}\n\n}\n"),
	}}}
	const want = "--- a/a.go\n+++ b/a.go\n@@ -1,7 +1,7 @@\n-one\n+ONE\n }\n \n-two\n+TWO\n }\n \n }\n"
	if diff := cmp.Diff(want, r.Unified()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Caught: behind the fiftieth edit a hunk takes everything away, and puts it back.
func TestDiffOfManyEdits(t *testing.T) {
	const functions = 700
	var before, after strings.Builder
	for n := range functions {
		const function = "// F%d records.\nfunc F%[1]d(%s) {\n\tif n == %[1]d {\n\t\treturn\n\t}\n\t%s(%[1]d)\n}\n\n"
		fmt.Fprintf(&before, function, n, "old", "Event")
		fmt.Fprintf(&after, function, n, "new", "Eventf")
	}
	r := &Report{Files: []File{{Path: "a.go", Before: []byte(before.String()), After: []byte(after.String())}}}
	count := map[string]int{}
	for line := range strings.Lines(r.Unified()) {
		count[line[:1]]++
	}
	want := map[string]int{"@": 1, "-": 1 + 2*functions, "+": 1 + 2*functions, " ": 6 * functions}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("lines by what they begin with (-want +got):\n%s", diff)
	}
}

// Caught: a message stands at each of its places; of what stays there are hundreds of lines.
func TestMessageIsPrintedOnce(t *testing.T) {
	r := &Report{Verdict: "verdict", Places: []Place{
		{File: "a.go", Line: 1, Column: 2, Status: Human, Message: "decide"},
		{File: "b.go", Line: 3, Column: 4, Status: Human, Message: "another"},
		{File: "c.go", Status: Human, Message: "decide"},
	}}
	for line := range 7 {
		r.Places = append(r.Places, Place{File: "d.go", Line: line + 1, Status: Kept, Message: "stays"})
	}
	var got strings.Builder
	if err := r.Text(&got); err != nil {
		t.Fatal(err)
	}
	const want = `verdict

Needs a human:
  decide:
    a.go:1:2
    c.go
  b.go:3:4: another

Stays with the old API, or has no effect any more:
  stays:
    d.go:1
    d.go:2
    d.go:3
    d.go:4
    d.go:5
    and 2 more, see -json
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Caught: an item that is added looks as the end of the one before it, and the beginning of its own.
func TestDiffShowsAddedItemsAsAWhole(t *testing.T) {
	r := &Report{Files: []File{{
		Path:   "a.yaml",
		Before: []byte("- groups: [a]\n  verbs: [b]\n- groups: [c]\n"),
		After:  []byte("- groups: [a]\n  verbs: [b]\n- groups: [d]\n  verbs: [b]\n- groups: [c]\n"),
	}}}
	const want = "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,3 +1,5 @@\n - groups: [a]\n   verbs: [b]\n+- groups: [d]\n+  verbs: [b]\n" +
		" - groups: [c]\n"
	if diff := cmp.Diff(want, r.Unified()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Caught: after -fix the lines are those of before, so that they name others.
func TestLinesOfWhatIsWritten(t *testing.T) {
	r := &Report{Files: []File{{
		Path:   "a.go",
		Before: []byte("import\na\nold(1)\nb\nold(2)\nold(3)\nc\n"),
		After:  []byte("import\nnew\na\nnew(\n1)\nb\nnew(2, 3)\nc\n"),
	}}}
	for line := range 8 {
		r.Places = append(r.Places, Place{File: "a.go", Line: line, Column: 2})
	}
	r.Places = append(r.Places, Place{File: "other.go", Line: 7, Column: 2})
	r.Actions = []Action{{File: "a.go", Line: 7}}
	r.Wrote()
	var got []string
	for _, place := range r.Places {
		got = append(got, place.where())
	}
	want := []string{"a.go", "a.go:1:2", "a.go:3:2", "a.go:4", "a.go:6:2", "a.go:7", "a.go:7", "a.go:8:2", "other.go:7:2"}
	if diff := cmp.Diff(want, got); diff != "" || r.Actions[0].Line != 8 {
		t.Errorf("line of the action: %d; places (-want +got):\n%s", r.Actions[0].Line, diff)
	}
}
