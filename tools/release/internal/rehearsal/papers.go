// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/eventseries/eventseries/tools/release/internal/changelog"
	"github.com/eventseries/eventseries/tools/release/internal/promise"
)

// papers are the steps that read what is checked in.
func (r *Rehearsal) papers() []step {
	return []step{
		{"the tree is clean", r.clean},
		{"CHANGELOG.md has the version", r.dated},
		{"the version is new", r.isNew},
		{"the API is as it was promised", r.promised},
	}
}

func (r *Rehearsal) clean(ctx context.Context) (string, error) {
	lines, err := r.repository.Dirty(ctx)
	if err != nil || len(lines) == 0 {
		return "", err
	}
	const most = 5
	list := strings.Join(lines[:min(most, len(lines))], "\n  ")
	if r.Dirty {
		return fmt.Sprintf("IGNORED, so this is no rehearsal: %d files are not as in HEAD\n  %s", len(lines), list), nil
	}
	return "", fmt.Errorf("%d files are not as in HEAD; commit or remove them\n  %s", len(lines), list)
}

func (r *Rehearsal) dated(context.Context) (string, error) {
	log, err := changelog.Read(filepath.Join(r.Root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	version := strings.TrimPrefix(r.Version, "v")
	section, ok := log.Section(r.Version)
	switch {
	case !ok:
		return "", fmt.Errorf("no section for it; add \"## [%s] - 2006-01-02\" with the date of the release", version)
	case len(section.Entries) == 0:
		return "", fmt.Errorf("the section [%s] is empty; say what users notice", version)
	case log.Next() != r.Version:
		return "", fmt.Errorf("[%s] stands above [%s]; the newest version comes first",
			strings.TrimPrefix(log.Next(), "v"), version)
	}
	if left, _ := log.Section(changelog.Unreleased); len(left.Entries) > 0 {
		return "", fmt.Errorf("[%s] has %d entries, which HEAD would release; move them to [%s]",
			changelog.Unreleased, len(left.Entries), version)
	}
	return fmt.Sprintf("%d entries, dated %s", len(section.Entries), section.Date), nil
}

// isNew passes a version that is tagged only where the tag is at HEAD: such a release can be rehearsed again.
func (r *Rehearsal) isNew(ctx context.Context) (string, error) {
	tagged, err := r.repository.Tag(ctx, r.Version)
	if err != nil {
		return "", err
	}
	if tagged != "" && tagged != r.commit {
		return "", fmt.Errorf("%s is released, from %s; take the next version", r.Version, tagged)
	}
	releases, err := r.repository.Releases(ctx, r.Version)
	if err != nil || len(releases) == 0 {
		return "the first release", err
	}
	last := releases[len(releases)-1]
	if semver.Compare(r.Version, last) < 0 {
		return "", fmt.Errorf("%s is not newer than %s, which is released", r.Version, last)
	}
	return "after " + last, nil
}

func (r *Rehearsal) promised(ctx context.Context) (string, error) {
	var said bytes.Buffer
	err := promise.Check(ctx, r.Root, r.Version, &said)
	return said.String(), err
}
