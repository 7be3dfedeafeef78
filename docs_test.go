// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventseries_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	block = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	link  = regexp.MustCompile(`\]\(([^)#:]+)\)`)
)

// What docs/testing.md shows is what the tests run: each block of Go stands in a Go file of the repository, line by line
// but for the indentation, and each block of text is the Output of an Example or a golden file. So does the Go of the
// README, but for its program, which is built.
//
// Caught: a changed note in a test that the page still shows as it was; a failure report written by hand; a count in the
// table of leaks.
func TestDocsShowWhatIsTested(t *testing.T) {
	sources, page := texts(t, ".go", ".txt"), text(t, "docs/testing.md")
	check := func(name, language, shown string) {
		want := plain(shown)
		if !slices.ContainsFunc(sources, func(source string) bool { return strings.Contains(source, want) }) {
			t.Errorf("%s: no file has this block of %s:\n%s", name, language, shown)
		}
	}
	for _, match := range block.FindAllStringSubmatch(page, -1) {
		if match[1] == "go" || match[1] == "text" {
			check("docs/testing.md", match[1], match[2])
		}
	}
	for _, match := range block.FindAllStringSubmatch(text(t, "README.md"), -1) {
		if match[1] == "go" && !strings.HasPrefix(match[2], "package main\n") {
			check("README.md", match[1], match[2])
		}
	}
	if leaks := text(t, "examples/controller-test/clientgo/testdata/leaks.txt"); !strings.Contains(page, leaks) {
		t.Errorf("docs/testing.md has not the whole table of leaks:\n%s", leaks)
	}
}

// Caught: a link to a file that was renamed.
func TestDocsLinkToFiles(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md", "examples/controller-test/README.md") {
		for _, match := range link.FindAllStringSubmatch(text(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), match[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// texts returns the files of the repository with these endings, as plain.
func texts(t *testing.T, endings ...string) (all []string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin"}, d.Name()):
			return filepath.SkipDir
		case slices.Contains(endings, filepath.Ext(path)):
			all = append(all, plain(text(t, path)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func text(t *testing.T, path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// plain is text without indentation and without the comment marks of an Output. It begins and ends a line, so that a
// part of it does as well.
func plain(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//"))
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}
