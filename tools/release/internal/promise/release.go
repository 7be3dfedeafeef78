// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package promise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/eventseries/eventseries/tools/release/internal/changelog"
	"github.com/eventseries/eventseries/tools/release/internal/golden"
	"github.com/eventseries/eventseries/tools/release/internal/history"
	"github.com/eventseries/eventseries/tools/release/internal/surface"
)

// Check holds the module in root to its golden files and to what its last release before next promised; next is empty
// where no release is made. It says in one line what it compared with.
func Check(ctx context.Context, root, next string, out io.Writer) error {
	now, err := surface.Load(ctx, root)
	if err != nil {
		return err
	}
	files, err := golden.Of(now)
	if err != nil {
		return err
	}
	if err := files.Check(filepath.Join(root, golden.Dir)); err != nil {
		return err
	}
	fmt.Fprintf(out, "the API is as %s/ says: %d files\n", golden.Dir, len(files))
	log, err := changelog.Read(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	releases, err := history.Repository(root).Releases(ctx, next)
	if err != nil {
		return err
	}
	if len(releases) == 0 {
		fmt.Fprintln(out, "no release is reachable from HEAD (a tag such as v0.1.0): nothing to compare the API with")
		return nil
	}
	base := releases[len(releases)-1]
	changes, err := since(ctx, base, history.Repository(root), now, files)
	if err != nil {
		return fmt.Errorf("compare with %s: %w", base, err)
	}
	fmt.Fprintf(out, "%d changes of the API since %s\n", len(changes), base)
	for _, c := range changes {
		fmt.Fprintf(out, "  %s\n", c)
	}
	return Judge(base, changes, log.Since(base))
}

func since(
	ctx context.Context, base string, repository history.Repository, now *surface.Module, files golden.Files,
) ([]Change, error) {
	dir, err := extracted(ctx, base, repository)
	if err != nil {
		return nil, err
	}
	old, err := surface.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	changes := Between(old, now)
	for _, name := range []string{golden.Logs, golden.Names} {
		before, err := repository.File(ctx, base, path.Join(golden.Dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		changes = append(changes, Said(golden.Lines(before), golden.Lines(files[name]))...)
	}
	return changes, nil
}

// extracted returns a directory with the files of a release. It is always the same, since the build cache knows packages
// by their directories, and is made at once or not at all.
func extracted(ctx context.Context, release string, repository history.Repository) (string, error) {
	commit, err := repository.Tag(ctx, release)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(string(repository), "bin", "api", commit)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "part")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	if err := repository.Extract(ctx, release, part); err != nil {
		return "", err
	}
	return dir, os.Rename(part, dir)
}
