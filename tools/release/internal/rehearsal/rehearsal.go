// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rehearsal does everything that a release does, but for the tag: it packs the modules of HEAD as the module
// proxy would, and uses them from empty directories as users would.
package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/eventseries/eventseries/tools/release/internal/history"
)

// Rehearsal is one version of the module in a repository.
type Rehearsal struct {
	// Root is the directory of the repository, an absolute path.
	Root string
	// Version is to be released: v1.2.3.
	Version string
	// Dirty lets the working tree differ from HEAD, which alone is packed.
	Dirty bool
	// Out gets a line for each step and each finding.
	Out io.Writer

	repository history.Repository
	commit     string
	gomod      *modfile.File
	work       string
	packed     []*packed
	contrib    []string // directories of modules
}

// step is one part of a rehearsal. Its finding is said.
type step struct {
	name string
	do   func(ctx context.Context) (finding string, err error)
}

// Run rehearses. It returns one error for each thing that keeps the version from being released.
func (r *Rehearsal) Run(ctx context.Context) error {
	if semver.Canonical(r.Version) != r.Version {
		return fmt.Errorf("%q is no version like v1.2.3", r.Version)
	}
	if err := r.open(ctx); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "rehearsal")
	if err != nil {
		return err
	}
	r.work = work
	defer os.RemoveAll(work)

	fmt.Fprintf(r.Out, "rehearsing %s %s at %s\n", r.gomod.Module.Mod.Path, r.Version, r.commit)
	papers := r.all(ctx, r.papers())
	if err := r.all(ctx, []step{{"pack the modules of HEAD", r.pack}}); err != nil {
		return errors.Join(papers, err) // there is nothing to use
	}
	return errors.Join(papers, r.all(ctx, r.uses()))
}

// open reads what HEAD is.
func (r *Rehearsal) open(ctx context.Context) error {
	r.repository = history.Repository(r.Root)
	commit, _, err := r.repository.Head(ctx)
	if err != nil {
		return err
	}
	r.commit = commit
	content, err := r.repository.File(ctx, commit, "go.mod")
	if err != nil {
		return err
	}
	if r.gomod, err = modfile.Parse("go.mod", content, nil); err != nil {
		return err
	}
	_, major, _ := module.SplitPathVersion(r.gomod.Module.Mod.Path)
	return module.CheckPathMajor(r.Version, major)
}

// all does every step, whatever the others found.
func (r *Rehearsal) all(ctx context.Context, steps []step) error {
	var errs []error
	for _, s := range steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Fprintf(r.Out, "== %s\n", s.name)
		finding, err := s.do(ctx)
		if finding != "" {
			fmt.Fprintf(r.Out, "   %s\n", strings.ReplaceAll(strings.TrimSpace(finding), "\n", "\n   "))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			first, _, _ := strings.Cut(err.Error(), "\n") // the rest comes at the end
			fmt.Fprintf(r.Out, "   FAILED: %s\n", first)
		}
	}
	return errors.Join(errs...)
}

// dir makes an empty directory.
func (r *Rehearsal) dir(name string) (string, error) {
	dir := filepath.Join(r.work, name)
	return dir, os.MkdirAll(dir, 0o755)
}
