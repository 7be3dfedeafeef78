// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// licensed says whether a file has to say under which licence it is: what runs does, in the nested modules, too, but
// not what tests are about.
func licensed(file string) bool {
	if strings.Contains("/"+file, "/testdata/") {
		return false
	}
	return slices.Contains([]string{".go", ".sh", ".yml", ".yaml"}, path.Ext(file)) ||
		slices.Contains([]string{"Makefile", "run", "CODEOWNERS"}, path.Base(file))
}

// Caught: a new file without its first lines, in a nested module; a script.
func TestFilesSayTheirLicence(t *testing.T) {
	atRoot(t)
	const holder, licence = "Copyright 2026 The eventseries Authors.\n", "SPDX-License-Identifier: Apache-2.0\n"
	n := 0
	for _, file := range tree(t) {
		if !licensed(file) {
			continue
		}
		n++
		mark := "# "
		if path.Ext(file) == ".go" {
			mark = "// "
		}
		content := text(t, file)
		if strings.HasPrefix(content, "#!") {
			_, content, _ = strings.Cut(content, "\n")
		}
		want := mark + holder + mark + licence
		if !strings.HasPrefix(content, want) {
			t.Errorf("%s: want it to begin with\n%s", file, want)
		}
	}
	if n < 500 {
		t.Errorf("%d files were looked at, want all of the repository", n)
	}
}
