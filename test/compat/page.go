// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The part of VERSIONING.md that this program writes.
const begin, end = "<!-- compat:begin -->\n", "<!-- compat:end -->\n"

var versions = filepath.Join(root, "VERSIONING.md")

// publish writes the results that are kept into VERSIONING.md.
func publish() error {
	results, err := load()
	if err != nil {
		return err
	}
	before, _, after, err := split()
	if err != nil {
		return err
	}
	return os.WriteFile(versions, []byte(before+render(results)+after), 0o644)
}

// split returns VERSIONING.md before, between and after the marks, which belong to the outer parts.
func split() (before, between, after string, err error) {
	text, err := os.ReadFile(versions)
	if err != nil {
		return "", "", "", err
	}
	before, rest, found := strings.Cut(string(text), begin)
	between, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", "", "", errors.New("VERSIONING.md has no compat:begin and compat:end")
	}
	return before + begin, between, end + after, nil
}

// render is the table of results.
func render(results []result) string {
	columns := []string{suiteSDK, suiteContrib, suiteDropin, suiteE2E}
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s | |\n|---|%s---|\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, r := range results {
		fmt.Fprintf(&b, "| %s %s |", r.Row[:strings.LastIndex(r.Row, "-")], r.Version)
		for _, column := range columns {
			b.WriteString(cell(r.cell(column)))
		}
		when := r.Date + ", " + r.Go
		if r.Error != "" {
			when += ", **incomplete**"
		}
		fmt.Fprintf(&b, " %s |\n", when)
	}
	return b.String()
}

// cell is what a suite came to.
func (r *result) cell(name string) string {
	for _, s := range r.Suites {
		if s.Name == name {
			return s.String()
		}
	}
	return ""
}

func cell(text string) string { return strings.TrimRight(" "+text, " ") + " |" }
