// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load/loadtest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
)

// replaceOld is a rewrite that knows no types: after the comment /* a => b */, a becomes b in every file that is not
// frozen. So an archive says itself which edits there are.
func replaceOld(t *testing.T, dir string) verify.Rewrite {
	pattern := regexp.MustCompile(`(?s)/\* (.*?) => (.*?) \*/`)
	return func(frozen func(string) bool) ([]analyze.Finding, error) {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
		if err != nil {
			return nil, err
		}
		var findings []analyze.Finding
		for _, file := range files {
			text := moduletest.Read(t, file)
			for _, match := range pattern.FindAllStringSubmatchIndex(text, -1) {
				if frozen(file) {
					continue
				}
				edit := analyze.Edit{
					File: file, Start: match[1], End: match[1] + match[3] - match[2], Text: text[match[4]:match[5]],
				}
				findings = append(findings, analyze.Finding{Rule: "replace", Edits: []analyze.Edit{edit}})
			}
		}
		return findings, nil
	}
}

const module = "-- go.mod --\nmodule example.com/m\n\ngo 1.25.0\n\nrequire stubs\n-- use/use.go --\n" +
	"package use\n\nimport _ \"k8s.io/client-go/tools/record\"\n"

// settle returns a line for every file that is written and for every file whose edits are withdrawn.
func settle(t *testing.T, archive string) string {
	t.Helper()
	dir := moduletest.Write(t, module+archive)
	builds := []string{""}
	if strings.Contains(archive, "//go:build other") {
		builds = []string{"", "other"}
	}
	outcome, err := verify.Settle(t.Context(), loadtest.Programs(t, dir, builds...), replaceOld(t, dir), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, file := range outcome.Files {
		fmt.Fprintf(&lines, "edited %s\n", file.Name)
		if err := os.WriteFile(file.Name, file.After, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, withdrawn := range outcome.Withdrawn {
		fmt.Fprintf(&lines, "withdrawn %s: %s:%d: %s\n",
			withdrawn.File, withdrawn.Place.Filename, withdrawn.Place.Line, withdrawn.Error)
	}
	if !strings.Contains(archive, "broken") {
		for _, tags := range builds {
			moduletest.Go(t, dir, "vet", "-tags="+tags, "./...")
		}
	}
	return strings.ReplaceAll(lines.String(), dir+string(filepath.Separator), "")
}

// Every archive says at its top what it is about and which mutation it caught, and at its end what is to come of it.
func TestSettle(t *testing.T) {
	for _, part := range strings.Split(moduletest.Read(t, "testdata", "settle.txt"), "=== ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		t.Run(name, func(t *testing.T) {
			archive, want, _ := strings.Cut(text, "-- want --\n")
			_, archive, _ = strings.Cut(archive, "\n-- ")
			if diff := cmp.Diff(want, settle(t, "-- "+archive)); diff != "" {
				t.Errorf("settled (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: the file whose edits overlap is written with the first of them.
func TestOverlappingEditsAreWithdrawn(t *testing.T) {
	const text = "package other\n\nimport _ \"example.com/m/use\"\n\nvar X = 1\n"
	dir := moduletest.Write(t, module+"-- other/other.go --\n"+text)
	use, other := filepath.Join(dir, "use", "use.go"), filepath.Join(dir, "other", "other.go")
	rewrite := func(frozen func(string) bool) ([]analyze.Finding, error) {
		edits := []analyze.Edit{{File: other, Start: len(text) - 2, End: len(text) - 1, Text: "2"}}
		if !frozen(use) {
			edits = append(edits, analyze.Edit{File: use, Start: 0, End: 11, Text: "package use\n"},
				analyze.Edit{File: use, Start: 8, End: 11, Text: "nothing"})
		}
		return []analyze.Finding{{Rule: "overlap", Edits: edits}}, nil
	}
	outcome, err := verify.Settle(t.Context(), loadtest.Programs(t, dir, ""), rewrite, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(outcome.Files) != 1 || outcome.Files[0].Name != other {
		t.Errorf("files to write: %+v, want %s only", outcome.Files, other)
	}
	if len(outcome.Withdrawn) != 1 || outcome.Withdrawn[0].File != use {
		t.Errorf("withdrawn: %+v, want %s", outcome.Withdrawn, use)
	}
}
