// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// packed is a module as the proxy serves it.
type packed struct {
	module.Version
	gomod, zip []byte
	files      []string
}

// pack packs every released module of HEAD, and serves them.
func (r *Rehearsal) pack(ctx context.Context) (string, error) {
	var err error
	if r.contrib, err = r.repository.Modules(ctx, r.commit, "contrib"); err != nil {
		return "", err
	}
	for _, dir := range slices.Concat(released, r.contrib) {
		p, err := r.packModule(ctx, dir)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path.Join(".", dir), err)
		}
		if err := r.serve(ctx, p); err != nil {
			return "", err
		}
		r.packed = append(r.packed, p)
	}
	return "", nil
}

// size says how large the modules are. Only the SDK's own is bounded: it becomes a part of other projects.
func (r *Rehearsal) size(context.Context) (string, error) {
	var findings []string
	for _, p := range r.packed {
		findings = append(findings, fmt.Sprintf("%s: %d KiB, %d files", p.Version, len(p.zip)>>10, len(p.files)))
	}
	var over bounds
	over.most("KiB of the SDK's module zip", len(r.packed[0].zip)>>10, maxKiB)
	over.most("files in it", len(r.packed[0].files), maxFiles)
	return strings.Join(findings, "\n"), over.err()
}

func (r *Rehearsal) packModule(ctx context.Context, dir string) (*packed, error) {
	gomod, err := r.repository.File(ctx, r.commit, path.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	parsed, err := modfile.Parse("go.mod", gomod, nil)
	if err != nil {
		return nil, err
	}
	p := &packed{Version: module.Version{Path: parsed.Module.Mod.Path, Version: r.Version}, gomod: gomod}
	var archive bytes.Buffer
	if err := modzip.CreateFromVCS(&archive, p.Version, r.Root, r.commit, dir); err != nil {
		return nil, err
	}
	p.zip = archive.Bytes()
	listed, err := zip.NewReader(bytes.NewReader(p.zip), int64(len(p.zip)))
	if err != nil {
		return nil, err
	}
	for _, f := range listed.File {
		p.files = append(p.files, strings.TrimPrefix(f.Name, p.Version.String()+"/"))
	}
	return p, errors.Join(r.alone(parsed), p.whole())
}

// alone refuses what only works inside this repository: a replacement, which go ignores or refuses elsewhere, and a
// requirement of the SDK that is no release.
func (r *Rehearsal) alone(gomod *modfile.File) error {
	var errs []error
	for _, replace := range gomod.Replace {
		if replace.Old.Path == r.gomod.Module.Mod.Path {
			continue // users get the release that is required
		}
		errs = append(errs, fmt.Errorf("go.mod replaces %s, which users do not see; require a release of it",
			replace.Old.Path))
	}
	for _, require := range gomod.Require {
		if require.Mod.Path == r.gomod.Module.Mod.Path && require.Mod.Version != r.Version {
			errs = append(errs, fmt.Errorf("go.mod requires %s, want %s", require.Mod, r.Version))
		}
	}
	return errors.Join(errs...)
}

// whole checks what every module zip has, and that it has no other module.
func (p *packed) whole() error {
	var errs []error
	for _, file := range []string{"LICENSE", "README.md", "go.mod", "go.sum"} {
		if !slices.Contains(p.files, file) {
			errs = append(errs, fmt.Errorf("the module zip has no %s", file))
		}
	}
	for _, file := range p.files {
		if path.Base(file) == "go.mod" && file != "go.mod" {
			errs = append(errs, fmt.Errorf("the module zip has another module, %s", path.Dir(file)))
		}
	}
	return errors.Join(errs...)
}
