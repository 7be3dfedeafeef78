// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package changelog reads a CHANGELOG.md in the form of Keep a Changelog 1.1.
package changelog

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// Unreleased is the version of the section for what no release has yet.
const Unreleased = "Unreleased"

// Mark stands in an entry that can break a build, an alert or a habit.
const Mark = "⚠"

// Section is what one version changed, or what none has yet.
type Section struct {
	// Version is a semantic version with its v, or Unreleased.
	Version string
	// Date is as it is written, empty where there is none.
	Date    string
	Entries []string
}

// Changelog is the sections of a file, newest first.
type Changelog []Section

var heading = regexp.MustCompile(`^## \[([^\]]+)\](?: - (.*))?$`)

// Read reads a file.
func Read(file string) (Changelog, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c, err := parse(string(content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

func parse(content string) (Changelog, error) {
	var c Changelog
	for i, line := range strings.Split(content, "\n") {
		match := heading.FindStringSubmatch(strings.TrimRight(line, " \r"))
		switch {
		case match != nil:
			section, err := newSection(match[1], match[2])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			c = append(c, section)
		case strings.HasPrefix(line, "## "):
			return nil, fmt.Errorf("line %d: %q is no heading like \"## [1.2.3] - 2006-01-02\"", i+1, line)
		case len(c) > 0:
			c[len(c)-1].read(line)
		}
	}
	return c, nil
}

func newSection(name, date string) (Section, error) {
	if name == Unreleased {
		return Section{Version: Unreleased}, nil
	}
	version := "v" + name
	if semver.Canonical(version) != version {
		return Section{}, fmt.Errorf("%q is no semantic version like 1.2.3", name)
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return Section{}, fmt.Errorf("version %s has the date %q, want one like 2006-01-02", name, date)
	}
	return Section{Version: version, Date: date}, nil
}

// read adds a line: a new entry, or more of the last one.
func (s *Section) read(line string) {
	line = strings.TrimSpace(line)
	switch last := len(s.Entries) - 1; {
	case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* "):
		s.Entries = append(s.Entries, line[2:])
	case line != "" && !strings.HasPrefix(line, "#") && last >= 0:
		s.Entries[last] += " " + line
	}
}

// Section returns that of a version.
func (c Changelog) Section(version string) (Section, bool) {
	for _, s := range c {
		if s.Version == version {
			return s, true
		}
	}
	return Section{}, false
}

// Since returns the sections above that of the release base, of which users have heard; all if base is empty.
func (c Changelog) Since(base string) Changelog {
	for i, s := range c {
		if base != "" && s.Version != Unreleased && semver.Compare(s.Version, base) <= 0 {
			return c[:i]
		}
	}
	return c
}

// Next is the newest version among the sections, empty if none has one.
func (c Changelog) Next() string {
	for _, s := range c {
		if s.Version != Unreleased {
			return s.Version
		}
	}
	return ""
}

// Warns tells whether an entry with the Mark has each of the words, as whole words.
func (c Changelog) Warns(words ...string) bool {
	for _, s := range c {
		for _, entry := range s.Entries {
			if strings.Contains(entry, Mark) && hasAll(entry, words) {
				return true
			}
		}
	}
	return false
}

func hasAll(entry string, words []string) bool {
	for _, word := range words {
		whole := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(word) + `($|[^\pL\pN_])`)
		if !whole.MatchString(entry) {
			return false
		}
	}
	return true
}
