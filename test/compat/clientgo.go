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
	if r.exact() {
		return nil // one release of each minor is enough for these
	}
	dropin, err := dropinModule(r.release)
	if err != nil {
		return err
	}
	return s.test(res, suiteDropin, dropin.command(ctx, "test", "-json", "-count=1", "./dropin/...", "./controllerruntime", "./names"))
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
