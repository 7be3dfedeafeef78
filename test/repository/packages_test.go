// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// make test-sdk, which CI runs, tests every package of the SDK's module, with the race detector or without. The
// two lists of the Makefile are by hand, because the race detector is slow where no goroutines meet.
//
// Caught: a package in neither list.
func TestEveryPackageIsTested(t *testing.T) {
	atRoot(t)
	makefile := text(t, "Makefile")
	var patterns []string
	for _, list := range regexp.MustCompile(`(?m)^(?:RACED|UNRACED) *:= *(.*)$`).FindAllStringSubmatch(makefile, -1) {
		patterns = append(patterns, strings.Fields(list[1])...)
	}
	var nested []string
	for _, file := range tree(t) {
		if dir, name := path.Split(file); name == "go.mod" && dir != "" {
			nested = append(nested, strings.TrimSuffix(dir, "/"))
		}
	}
	for _, file := range goFiles(t) {
		if !file.isTest() || slices.ContainsFunc(nested, func(dir string) bool { return under(file.dir(), dir) }) {
			continue
		}
		if !slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, file.dir()) }) {
			t.Errorf("%s is in neither RACED nor UNRACED of the Makefile", file.dir())
		}
	}
}

// matches reports whether the go command's pattern stands for the package in dir.
func matches(pattern, dir string) bool {
	if pattern == "." {
		return dir == "."
	}
	parent, all := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
	return dir == parent || all && under(dir, parent)
}

// under reports whether dir is parent or below it.
func under(dir, parent string) bool { return strings.HasPrefix(dir+"/", parent+"/") }
