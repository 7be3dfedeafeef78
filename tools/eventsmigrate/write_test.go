// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// Caught: an error after the first file says nothing of it, and the user does not know that the tree is half migrated.
func TestWriteSaysWhatWasWritten(t *testing.T) {
	dir := t.TempDir()
	good := report.File{Path: "good.go", Name: filepath.Join(dir, "good.go"), After: []byte("package good\n")}
	bad := report.File{Path: "bad.go", Name: filepath.Join(dir, "bad.go")}
	if err := os.Mkdir(bad.Name, 0o755); err != nil { // no file can be renamed to it
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		files []report.File
		want  string
	}{
		{"the first fails", []report.File{bad, good}, "; written before it: nothing"},
		{"the second fails", []report.File{good, bad}, "; written before it: good.go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &migration{report: &report.Report{Files: test.files}}
			if err := m.write(); err == nil || !strings.HasSuffix(err.Error(), test.want) || m.report.Written {
				t.Errorf("write = %v, want ... %q; written: %v", err, test.want, m.report.Written)
			}
		})
	}
	// Caught: the temporary file of a failed write stays.
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left in the directory: %v, %v", entries, err)
	}
}

// Caught: the link is replaced by a file.
func TestWriteFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.go"), filepath.Join(dir, "link.go")
	if err := os.WriteFile(target, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target.go", link); err != nil {
		t.Fatal(err)
	}
	m := &migration{report: &report.Report{Files: []report.File{{Name: link, After: []byte("after")}}}}
	if err := m.write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(target)
	if err != nil || string(text) != "after" {
		t.Errorf("the target of the link has %q, %v", text, err)
	}
}
