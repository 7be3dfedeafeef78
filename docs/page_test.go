// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package docs_test tests the pages of this directory: that their tables have all that there is, that the sizing recipe is
// right, and that kubectl shows what they show. The code blocks of the pages are in these files.
package docs_test

import (
	"flag"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what kubectl shows")

func read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// holds checks that a file has a text. With -update it writes the file.
func holds(t testing.TB, name, text string) {
	t.Helper()
	old, _ := os.ReadFile(name)
	switch {
	case string(old) == text:
	case *update:
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what the code does, `make docs` rewrites it (-shown +done):\n%s",
			name, cmp.Diff(string(old), text))
	}
}

// shows checks that a page has a text between the marks of a section.
func shows(t testing.TB, page, section, text string) {
	t.Helper()
	whole := read(t, page)
	begin, end := "<!-- "+section+":begin -->\n", "<!-- "+section+":end -->"
	before, rest, begun := strings.Cut(whole, begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no section %q, it needs the lines %s and %s", page, section, strings.TrimSpace(begin), end)
	}
	holds(t, page, before+begin+"\n"+text+"\n"+end+after)
}

// sections returns the text below each heading of a page, by the heading's anchor.
func sections(t testing.TB, page string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, section := range strings.Split("\n"+read(t, page), "\n#")[1:] {
		heading, text, _ := strings.Cut(strings.TrimLeft(section, "# "), "\n")
		anchor := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading), "")
		all[strings.ReplaceAll(anchor, " ", "-")] += text
	}
	return all
}

// rowsOf returns the cells of a section's tables.
func rowsOf(section string) (rows [][]string) {
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

var (
	figure = regexp.MustCompile(`\[([^\]]*[0-9][^\]]*)\]\(((?:[\w./]+/)?(?:benchmarks|scale|reliability)\.md)#([^)]+)\)`)
	number = regexp.MustCompile(`[0-9](?:[0-9.,]*[0-9])?`)
)

var code = regexp.MustCompile("`([^`]+)`")

// explained returns the names in the first cells of the tables below a heading of a page.
func explained(t testing.TB, page, heading string) (names []string) {
	t.Helper()
	_, section, found := strings.Cut(read(t, page), "# "+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %q", page, heading)
	}
	section, _, _ = strings.Cut(section, "\n#")
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || strings.TrimSpace(cells[0]) != "" {
			continue
		}
		if match := code.FindStringSubmatch(strings.TrimSpace(cells[1])); match != nil {
			names = append(names, match[1])
		}
	}
	return names
}

// explains checks that the tables below a heading of a page have a row for each name, and no other rows.
func explains(t testing.TB, page, heading string, names []string) {
	t.Helper()
	got, want := slices.Compact(slices.Sorted(slices.Values(explained(t, page, heading)))),
		slices.Compact(slices.Sorted(slices.Values(names)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, %q: rows (-there is, +explained):\n%s", page, heading, diff)
	}
}

// pages returns the Markdown files of this directory and of those below.
func pages(t testing.TB) (all []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

// The index of each directory lists its pages once, and the index of this one lists the others.
//
// Caught: a page without a line in the index.
func TestIndexHasEveryPage(t *testing.T) {
	for _, page := range pages(t) {
		dir, name := filepath.Split(page)
		if name == "README.md" {
			dir, name = "", filepath.ToSlash(page)
		}
		if n := strings.Count(read(t, dir+"README.md"), "]("+name+")"); page != "README.md" && n != 1 {
			t.Errorf("%sREADME.md has %d links to %s, want 1", dir, n, name)
		}
	}
}

// A figure in a page is a link to the section that has it, in the same words or as a cell of a table.
//
// Caught: 21 minutes that became 20, as in ± 20%; a figure of another section.
func TestFiguresStandWhereTheyAreFrom(t *testing.T) {
	found := 0
	for _, page := range pages(t) {
		for _, match := range figure.FindAllStringSubmatch(read(t, page), -1) {
			section := sections(t, path.Join(path.Dir(page), match[2]))[match[3]]
			cells := slices.Concat(rowsOf(section)...)
			for i, cell := range cells {
				cells[i] = plain(cell)
			}
			for _, n := range number.FindAllString(match[1], -1) {
				found++
				if !slices.Contains(cells, match[1]) && !slices.Contains(cells, n) && !strings.Contains(section, " "+match[1]+" ") {
					t.Errorf("%s: %s is not in %s#%s", page, match[1], match[2], match[3])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no page has a figure")
	}
}

// plain is a figure without its confidence interval and the mark of what may be chance.
func plain(cell string) string {
	value, _, _ := strings.Cut(strings.TrimSuffix(cell, "~"), "±")
	return value
}
