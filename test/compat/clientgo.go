// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// testClientGo builds, vets and tests the SDK with a release of client-go, and then what users write against
// client-go.
func testClientGo(ctx context.Context, r row, s *steps, res *result) (err error) {
	sdk := module{dir: root}
	if !r.exact() {
		if sdk.modFile, err = filepath.Abs("client-go-" + r.release + ".mod"); err != nil {
			return err
		}
	}
	if res.Version, err = sdk.version(ctx, "k8s.io/client-go"); err != nil {
		return err
	}
	if r.exact() && res.Version != "v"+r.release {
		return fmt.Errorf("the SDK's go.mod names client-go %s: name the row after it", res.Version)
	}
	if !r.exact() {
		s.noteNewer(ctx, sdk, res.Version, r.release)
	}
	for _, step := range [][]string{{"mod", "tidy", "-diff"}, {"build", "./..."}, {"vet", "./..."}} {
		if err := s.run("go "+strings.Join(step, " "), sdk.command(ctx, step...)); err != nil {
			return err
		}
	}
	packages, err := codePackages(ctx, sdk)
	if err != nil {
		return err
	}
	args := append([]string{"test", "-json", "-count=1", "-shuffle=on"}, packages...)
	if err := s.test(res, suiteSDK, sdk.command(ctx, args...)); err != nil {
		return err
	}
	if err := testContrib(ctx, r, s, res); err != nil {
		return err
	}
	if r.exact() {
		return nil // one release of each minor is enough for these
	}
	dropin, err := dropinModule(r.release)
	if err != nil {
		return err
	}
	return s.test(res, suiteDropin, dropin.command(ctx, "test", "-json", "-count=1", "./dropin/...", "./controllerruntime", "./names"))
}

// testContrib runs the tests of the modules in contrib with a release of client-go. Their go.mod is that of the module
// with this release, made for the run: it has no requirement that the module itself has not, and nothing to keep.
func testContrib(ctx context.Context, r row, s *steps, res *result) error {
	modules, err := filepath.Glob(filepath.Join(root, "contrib", "*", "go.mod"))
	if err != nil {
		return err
	}
	for _, gomod := range modules {
		dir := filepath.Dir(gomod)
		m, remove, err := withClientGo(ctx, dir, res.Version)
		if err != nil {
			return err
		}
		err = s.test(res, suiteContrib, m.command(ctx, "test", "-json", "-count=1", "-shuffle=on", "./..."))
		remove()
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}

// withClientGo is the module in dir with a version of client-go. Call remove when it is no longer used.
func withClientGo(ctx context.Context, dir, version string) (m module, remove func(), err error) {
	work, err := os.MkdirTemp("", "compat")
	if err != nil {
		return module{}, nil, err
	}
	remove = func() { _ = os.RemoveAll(work) }
	m = module{dir: dir, modFile: filepath.Join(work, "go.mod")}
	err = copyModFile(dir, work)
	for _, args := range [][]string{
		{"get", "k8s.io/api@" + version, "k8s.io/apimachinery@" + version, "k8s.io/client-go@" + version}, {"mod", "tidy"},
	} {
		if err == nil {
			_, err = m.output(ctx, args...)
		}
	}
	if err != nil {
		remove()
		return module{}, nil, fmt.Errorf("%s with client-go %s: %w", dir, version, err)
	}
	return m, remove, nil
}

// copyModFile copies the go.mod and go.sum of a module. Its replacements are relative to the module's directory, which go
// takes from its working directory, not from the file.
func copyModFile(dir, work string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// codePackages are the SDK's packages but for the one whose tests are about the repository's files: client-go is
// nothing to them.
func codePackages(ctx context.Context, sdk module) ([]string, error) {
	text, err := sdk.output(ctx, "list", "./...")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Fields(text), func(path string) bool {
		return strings.Contains(path, "/test/repository")
	}), nil
}

// dropinModule is this module with a minor of client-go. Its own go.mod has the newest.
func dropinModule(minor string) (module, error) {
	modFile, err := filepath.Abs("dropin-" + minor + ".mod")
	if err != nil {
		return module{}, err
	}
	if _, err := os.Stat(modFile); os.IsNotExist(err) {
		return module{dir: "."}, nil
	}
	return module{dir: ".", modFile: modFile}, nil
}
