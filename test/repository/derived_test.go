// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what follows from the code: tables of pages, drop reasons")

// holdFile fails unless a file, all or a part of which follows from the code, has the text that it should have. With
// -update it writes that text instead.
func holdFile(t *testing.T, file, want string) {
	t.Helper()
	got, _ := read(file) // none is the same as an empty one
	diff := cmp.Diff(want, got)
	if diff == "" {
		return
	}
	if !*update {
		t.Errorf("%s (go test ./test/repository -update accepts it; -want +got):\n%s", file, diff)
		return
	}
	if err := os.WriteFile(filepath.FromSlash(file), []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holdTable does the same for the only table of a section.
func holdTable(t *testing.T, page, section string, rows []string) {
	t.Helper()
	all := text(t, page)
	start := strings.Index(all, "\n## "+section+"\n")
	if start < 0 {
		t.Fatalf("%s has no section %q", page, section)
	}
	end := len(all)
	if length := strings.Index(all[start+1:], "\n## "); length >= 0 {
		end = start + 1 + length
	}
	first := strings.Index(all[start:end], "\n|")
	last := strings.LastIndex(all[start:end], "|\n")
	if first < 0 || last < first {
		t.Fatalf("the section %q of %s has no table", section, page)
	}
	holdFile(t, page, all[:start+first+1]+strings.Join(rows, "\n")+all[start+last+1:])
}
