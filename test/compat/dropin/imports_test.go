// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// imports are the lines that change, and what each may become.
var imports = map[string][]string{
	`"k8s.io/client-go/tools/events"`: {
		`events "github.com/eventseries/eventseries/adapter"`,
		`"github.com/eventseries/eventseries/events"`,
	},
	`"k8s.io/client-go/tools/record"`: {`record "github.com/eventseries/eventseries/legacy"`},
}

// Both forms of a component have the same files, and these differ in one import.
//
// Caught: another event in one form, a file that one form lacks.
func TestOnlyAnImportDiffers(t *testing.T) {
	before, after := forms(t, "clientgo"), forms(t, "eventseries")
	if diff := cmp.Diff(before, after); diff != "" || len(before) == 0 {
		t.Fatalf("files (-client-go +eventseries):\n%s", diff)
	}
	for _, file := range before {
		component, name := filepath.Split(file)
		old := lines(t, filepath.Join(component, "clientgo", name))
		changed := lines(t, filepath.Join(component, "eventseries", name))
		if len(old) != len(changed) {
			t.Errorf("%s: %d lines and %d lines", file, len(old), len(changed))
			continue
		}
		differ := 0
		for i := range old {
			if old[i] == changed[i] {
				continue
			}
			differ++
			if !slices.Contains(imports[strings.TrimSpace(old[i])], strings.TrimSpace(changed[i])) {
				t.Errorf("%s:%d: %q became %q", file, i+1, old[i], changed[i])
			}
		}
		if differ > 1 {
			t.Errorf("%s: %d lines differ, want one", file, differ)
		}
	}
}

// forms returns the files of one form, as component/name.
func forms(t *testing.T, form string) (files []string) {
	paths, err := filepath.Glob("*/" + form + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		files = append(files, strings.Replace(filepath.ToSlash(path), "/"+form+"/", "/", 1))
	}
	return files
}

func lines(t *testing.T, path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}
