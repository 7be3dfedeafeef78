// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package history

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/release/internal/repotest"
)

// Caught: tags sorted as text; tags of branches that HEAD does not have.
func TestReleases(t *testing.T) {
	repository := repotest.New(t, "-- a --\n1\n")
	for _, tag := range []string{"v0.9.0", "v0.10.0", "v0.11.0-rc.1", "v1", "tools/x/v0.12.0", "vague"} {
		repository.Git("tag", tag)
	}
	repository.Git("switch", "--quiet", "--create", "other")
	repository.Commit("-- a --\n2\n")
	repository.Git("tag", "v0.13.0")
	repository.Git("switch", "--quiet", "main")

	for next, want := range map[string][]string{"": {"v0.9.0", "v0.10.0"}, "v0.10.0": {"v0.9.0"}} {
		got, err := Repository(repository.Dir).Releases(t.Context(), next)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
}

// Caught: files of HEAD instead of the revision's.
func TestExtract(t *testing.T) {
	repository := repotest.New(t, "-- a/b --\n1\n")
	repository.Git("tag", "v0.1.0")
	repository.Commit("-- a/b --\n2\n-- c --\n3\n")

	dir := t.TempDir()
	if err := Repository(repository.Dir).Extract(t.Context(), "v0.1.0", dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a", "b")); err != nil || string(got) != "1\n" {
		t.Errorf("a/b is %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "c")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("c: %v", err)
	}
	if _, err := Repository(repository.Dir).File(t.Context(), "v0.1.0", "c"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("c of v0.1.0: %v", err)
	}
}

func TestDirty(t *testing.T) {
	repository := repotest.New(t, "-- a --\n1\n")
	if got, err := Repository(repository.Dir).Dirty(t.Context()); err != nil || len(got) > 0 {
		t.Error(got, err)
	}
	repository.Write("-- a --\n2\n-- b --\n1\n")
	got, err := Repository(repository.Dir).Dirty(t.Context())
	if diff := cmp.Diff([]string{" M a", "?? b"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
