// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"cmp"
	"fmt"
	"go/doc"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The table "Examples" of docs/README.md is made of the Example functions of these packages.
//
// Caught: an Example that was renamed, and one that is new.
func TestExampleIndex(t *testing.T) {
	atRoot(t)
	rows := []string{"| package | examples |", "|---|---|"}
	for _, dir := range append([]string{"."}, publicPackages(t)...) {
		var names []string
		for _, file := range goFiles(t) {
			if file.dir() != dir || !file.isTest() {
				continue
			}
			for _, example := range doc.Examples(file.File) {
				names = append(names, example.Name)
			}
		}
		slices.Sort(names)
		pkg := cmp.Or(strings.TrimPrefix(dir, "."), "eventseries")
		address := strings.TrimSuffix("https://pkg.go.dev/"+module+strings.TrimPrefix(dir, "."), "/")
		var links []string
		for _, name := range names {
			label, anchor := exampleOf(name)
			links = append(links, fmt.Sprintf("[%s](%s#%s)", label, address, anchor))
		}
		if len(links) > 0 {
			rows = append(rows, fmt.Sprintf("| %s | %s |", pkg, strings.Join(links, ", ")))
		}
	}
	holdTable(t, "docs/README.md", "Examples", rows)
}

// exampleOf returns what pkg.go.dev calls the Example with a name such as "", "_job", "Recorder_Eventf" and
// "WithNotePolicy_reasons", and its anchor there.
func exampleOf(name string) (label, anchor string) {
	symbols := strings.Split(name, "_")
	suffix := ""
	if last := symbols[len(symbols)-1]; last != "" && unicode.IsLower(rune(last[0])) {
		symbols = symbols[:len(symbols)-1]
		suffix = last
	}
	label = cmp.Or(strings.Join(symbols, "."), "package")
	anchor = "example-" + label
	if suffix != "" {
		label += " (" + suffix + ")"
		anchor += "-" + strings.ToUpper(suffix[:1]) + suffix[1:]
	}
	return label, anchor
}
