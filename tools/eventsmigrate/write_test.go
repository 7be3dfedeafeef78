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

// Caught: an error after the first file leaves the tree half migrated; the temporary file of a failed write stays.
func TestWriteIsAllOrNothing(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, name string) // so that the file cannot be written
		want  string
	}{
		{
			name: "a directory has its name", want: "; nothing is written",
			spoil: func(t *testing.T, name string) {
				if err := os.Mkdir(name, 0o755); err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			name: "the disk is full", want: "; restore what could not be put back: bad.go",
			spoil: func(t *testing.T, name string) {
				if err := os.Symlink("/dev/full", name); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(name); err != nil {
					t.Skip(err)
				}
			},
		},
		{
			name: "an editor has saved it", want: "bad.go has changed since the run began; nothing is written: run eventsmigrate again",
			spoil: func(t *testing.T, name string) {
				if err := os.WriteFile(name, []byte("of an editor"), 0o644); err != nil {
					t.Fatal(err)
				}
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			m := &job{report: &report.Report{}}
			for _, name := range []string{"first.go", "bad.go", "last.go"} {
				file := report.File{Path: name, Name: filepath.Join(dir, name), Before: []byte("before"), After: []byte("after")}
				m.report.Files = append(m.report.Files, file)
				if name == "bad.go" {
					test.spoil(t, file.Name)
				} else if err := os.WriteFile(file.Name, file.Before, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.write(); err == nil || !strings.HasSuffix(err.Error(), test.want) || m.report.Written {
				t.Errorf("write = %v, want %q; written: %v", err, test.want, m.report.Written)
			}
			for _, name := range []string{"first.go", "last.go"} {
				if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "before" {
					t.Errorf("%s has %q, %v", name, text, err)
				}
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
				t.Errorf("left in the directory: %v, %v", entries, err)
			}
		})
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
	m := &job{report: &report.Report{Files: []report.File{{Name: link, Before: []byte("before"), After: []byte("after")}}}}
	if err := m.write(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(target)
	if err != nil || string(text) != "after" {
		t.Errorf("the target of the link has %q, %v", text, err)
	}
}
