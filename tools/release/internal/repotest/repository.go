// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package repotest makes git repositories for tests.
package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Repository is a git repository in a directory of its own, which goes with the test.
type Repository struct {
	t   testing.TB
	Dir string
}

// New returns one with these files in its first commit. They are written as txtar has them.
func New(t testing.TB, files string) *Repository {
	t.Helper()
	r := &Repository{t: t, Dir: t.TempDir()}
	r.Git("init", "--quiet", "--initial-branch=main")
	r.Commit(files)
	return r
}

// Write writes files and leaves them uncommitted. A file that is empty is removed.
func (r *Repository) Write(files string) {
	r.t.Helper()
	Extract(r.t, r.Dir, files)
}

// Extract writes files into a directory. A file that is empty is removed.
func Extract(t testing.TB, dir, files string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		if len(f.Data) == 0 {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Commit writes files and commits everything.
func (r *Repository) Commit(files string) {
	r.t.Helper()
	r.Write(files)
	r.Git("add", "--all")
	r.Git("commit", "--quiet", "--message", "a change")
}

// Git runs git there, without the configuration of this machine.
func (r *Repository) Git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
