// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package history reads a git repository. It changes nothing there.
package history

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// Repository is a git repository, by the directory of its working tree.
type Repository string

// Releases returns the releases that HEAD descends from or is, oldest first, without next, which is about to be one. A
// release is a tag that is a semantic version, such as v1.2.3; those of nested modules have a path before it.
func (r Repository) Releases(ctx context.Context, next string) ([]string, error) {
	out, err := r.git(ctx, "tag", "--merged", "HEAD", "--list", "v*")
	if err != nil {
		return nil, err
	}
	releases := slices.DeleteFunc(strings.Fields(string(out)), func(tag string) bool {
		return tag == next || semver.Canonical(tag) != tag || semver.Prerelease(tag) != ""
	})
	slices.SortFunc(releases, semver.Compare)
	return releases, nil
}

// Tag returns the commit of a tag, empty if there is no such tag.
func (r Repository) Tag(ctx context.Context, name string) (commit string, err error) {
	listed, err := r.git(ctx, "tag", "--list", name)
	if err != nil || len(listed) == 0 {
		return "", err
	}
	out, err := r.git(ctx, "rev-list", "-n", "1", "refs/tags/"+name)
	return strings.TrimSpace(string(out)), err
}

// Dirty returns the lines of git status: files that are changed or that git does not know.
func (r Repository) Dirty(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "status", "--porcelain")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimRight(string(out), "\n"), "\n"), nil
}

// Head returns the commit of HEAD and its time.
func (r Repository) Head(ctx context.Context) (commit string, when time.Time, err error) {
	out, err := r.git(ctx, "log", "-1", "--format=%H %cI")
	if err != nil {
		return "", time.Time{}, err
	}
	commit, date, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	when, err = time.Parse(time.RFC3339, date)
	return commit, when.UTC(), err
}

// File returns a file of a revision. It wraps os.ErrNotExist where the revision does not have it.
func (r Repository) File(ctx context.Context, revision, path string) ([]byte, error) {
	listed, err := r.git(ctx, "ls-tree", "--name-only", revision, "--", path)
	if err != nil {
		return nil, err
	}
	if len(listed) == 0 {
		return nil, fmt.Errorf("%s of %s: %w", path, revision, os.ErrNotExist)
	}
	return r.git(ctx, "show", revision+":"+path)
}

// Modules returns the directories right below dir that hold a module.
func (r Repository) Modules(ctx context.Context, revision, dir string) ([]string, error) {
	out, err := r.git(ctx, "ls-tree", "-r", "--name-only", revision, "--", dir)
	if err != nil {
		return nil, err
	}
	var modules []string
	for file := range strings.Lines(string(out)) {
		if ok, _ := path.Match(path.Join(dir, "*", "go.mod"), strings.TrimSpace(file)); ok {
			modules = append(modules, path.Dir(file))
		}
	}
	return modules, nil
}

// Extract writes the files of a revision into dir.
func (r Repository) Extract(ctx context.Context, revision, dir string) error {
	archive, err := r.git(ctx, "archive", "--format=tar", revision)
	if err != nil {
		return err
	}
	for files := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
}

func (r Repository) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = string(r)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(complaint.String()))
	}
	return out, nil
}
