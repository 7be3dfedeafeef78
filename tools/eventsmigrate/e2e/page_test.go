// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// installed begins the commands of the page that run the tool. The tests run the tool of this tree instead.
const installed = "eventsmigrate "

var (
	heading = regexp.MustCompile(`(?m)^## (.*)$`)
	block   = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	row     = regexp.MustCompile("(?m)^\\| `(.*)` \\| `(.*)` \\|$")
)

// sectionsOf returns the texts of MIGRATING.md by their headings.
func sectionsOf(t *testing.T) map[string]string {
	content, err := os.ReadFile("../../../MIGRATING.md")
	if err != nil {
		t.Fatal(err)
	}
	page, sections := string(content), map[string]string{}
	places := heading.FindAllStringSubmatchIndex(page, -1)
	for i, place := range places {
		end := len(page)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		sections[page[place[2]:place[3]]] = page[place[1]:end]
	}
	return sections
}

// checkPage checks that what MIGRATING.md shows is what happens: its diffs are between a module before and after the tool, its
// commands succeed behind it, its Go compiles, and the left column of its table becomes the right one. Its kubectl commands
// run in test/e2e/migration.
func checkPage(t *testing.T, old, m *module, section, table string) {
	t.Helper()
	before, after := old.goFiles(), m.goFiles()
	for _, b := range block.FindAllStringSubmatch(section, -1) {
		switch b[1] {
		case "sh":
			for line := range strings.Lines(b[2]) {
				if !strings.HasPrefix(line, installed) {
					m.run(strings.Fields(line)...)
				}
			}
		case "diff":
			checkDiff(t, b[2], before, after)
		case "go":
			m.must(os.MkdirAll(filepath.Join(m.dir, "page"), 0o755))
			m.must(os.WriteFile(filepath.Join(m.dir, "page", "page.go"), []byte(b[2]), 0o644))
			m.run("go", "build", "./page")
		}
	}
	for _, cells := range row.FindAllStringSubmatch(table, -1) {
		if !contains(after[tableFile], cells[2]) {
			t.Errorf("%s does not become %s in:\n%s", cells[1], cells[2], after[tableFile])
		}
	}
}

// checkReport checks that a section shows what the tool reports about a module. A line "…" stands for others.
func checkReport(t *testing.T, m *module, section string) {
	t.Helper()
	for _, b := range block.FindAllStringSubmatch(section, -1) {
		if b[1] != "console" {
			continue
		}
		report, _ := m.exec(tool, "-sdk", sdk, "./...")
		for line := range strings.Lines(b[2]) {
			text := strings.TrimSpace(line)
			if text != "" && text != "…" && !contains(report, text) {
				t.Errorf("the tool does not report\n%s\nin:\n%s", text, report)
			}
		}
	}
}

// checkDiff checks that the lines of a diff are in the files that it names.
func checkDiff(t *testing.T, diff string, before, after map[string]string) {
	t.Helper()
	file := ""
	for line := range strings.Lines(diff) {
		text := strings.TrimSpace(line[1:])
		switch {
		case text == "":
		case line[0] == ' ':
			file = text
		case line[0] == '-' && !contains(before[file], text):
			t.Errorf("%s has no line before the migration that is\n%s", file, text)
		case line[0] == '+' && !contains(after[file], text):
			t.Errorf("%s has no line after the migration that is\n%s", file, text)
		}
	}
}

// contains says whether a line of text is line, but for the indentation.
func contains(text, line string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"), func(s string) bool { return strings.TrimSpace(s) == line })
}

const tableFile = "internal/table/table.go"

// writeTable makes a package of the left column of the table.
func (m *module) writeTable(section string) {
	m.t.Helper()
	if section == "" {
		return
	}
	source := "package table\n\nimport (\n\tcorev1 \"k8s.io/api/core/v1\"\n\t\"k8s.io/client-go/tools/record\"\n" +
		"\tctrl \"sigs.k8s.io/controller-runtime\"\n)\n"
	for i, cells := range row.FindAllStringSubmatch(section, -1) {
		source += fmt.Sprintf("\nfunc row%d(recorder record.EventRecorder, mgr ctrl.Manager, pod *corev1.Pod, "+
			"node *corev1.Node, annotations map[string]string, err error, n int) {\n\t%s\n}\n", i, cells[1])
	}
	m.must(os.MkdirAll(filepath.Join(m.dir, filepath.Dir(tableFile)), 0o755))
	m.must(os.WriteFile(filepath.Join(m.dir, tableFile), []byte(source), 0o644))
}

// goFiles returns the Go files of a module by their path.
func (m *module) goFiles() map[string]string {
	m.t.Helper()
	all := map[string]string{}
	for path := range m.files() {
		if strings.HasSuffix(path, ".go") {
			content, err := os.ReadFile(filepath.Join(m.dir, path))
			m.must(err)
			all[path] = string(content)
		}
	}
	return all
}
