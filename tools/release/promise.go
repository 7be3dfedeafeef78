// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// apiDir has the surface in files.
const apiDir = "api"

const head = "# What users can see. Written by make api; VERSIONING.md says what a change means.\n"

// write makes api/ hold the surface and nothing else.
func (s surface) write(root string) error {
	old, err := filepath.Glob(filepath.Join(root, apiDir, "*.txt"))
	errs := []error{err, os.MkdirAll(filepath.Join(root, apiDir), 0o755)}
	for _, file := range old {
		errs = append(errs, os.Remove(file))
	}
	for file, lines := range s {
		text := head + strings.Join(lines, "\n") + "\n"
		errs = append(errs, os.WriteFile(filepath.Join(root, apiDir, file), []byte(text), 0o644))
	}
	return errors.Join(errs...)
}

// lines are those of all files.
func (s surface) lines() []string { return slices.Concat(slices.Collect(maps.Values(s))...) }

// linesOf are the lines of a file of api/.
func linesOf(text string) []string {
	return slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\r", ""), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// written are the lines of api/ as it is in the working tree.
func written(root string) (lines []string, err error) {
	files, err := filepath.Glob(filepath.Join(root, apiDir, "*.txt"))
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		lines, err = append(lines, linesOf(string(text))...), errors.Join(err, readErr)
	}
	return lines, err
}

// less returns the lines that b does not have, sorted.
func less(a, b []string) []string {
	return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(a), func(line string) bool {
		return slices.Contains(b, line)
	})))
}

// lastRelease returns the newest version that HEAD descends from or is, empty if there is none, and its lines of api/.
func lastRelease(ctx context.Context, root string) (version string, lines []string, err error) {
	git := func(args ...string) string {
		command := exec.CommandContext(ctx, "git", args...)
		command.Dir = root
		out, failed := command.Output()
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("git %s: %w", strings.Join(args, " "), failed))
		}
		return string(out)
	}
	tags := slices.DeleteFunc(strings.Fields(git("tag", "--merged", "HEAD", "--list", "v*")), func(tag string) bool {
		return semver.Canonical(tag) != tag || semver.Prerelease(tag) != ""
	})
	if len(tags) == 0 {
		return "", nil, err
	}
	version = slices.MaxFunc(tags, semver.Compare)
	for _, file := range strings.Fields(git("ls-tree", "--name-only", version, apiDir+"/")) {
		lines = append(lines, linesOf(git("show", version+":"+file))...)
	}
	return version, lines, err
}

// judge returns an error for each change since a release that breaks the promise of VERSIONING.md: an interface that
// users may implement and that grew, what is gone or changed without an entry of the changelog that warns of it, and a
// version in the changelog that is too small for the changes.
func judge(release string, old, now []string, changelog string) error {
	since, next := sectionsSince(changelog, strings.TrimPrefix(release, "v"))
	gone, added := less(old, now), less(now, old)
	var errs []error
	broken := false
	for _, line := range gone {
		switch words := wordsOf(line); {
		case grown(line, added):
			errs = append(errs, fmt.Errorf("%s: an interface that users implement never grows; declare another one, and ask for it", line))
		case longer(line, added): // a log line has more keys
		default:
			broken = true
			if !slices.ContainsFunc(since, func(entry string) bool { return warns(entry, words) }) {
				errs = append(errs, fmt.Errorf("gone or changed: %s; say it in CHANGELOG.md above [%s], in an entry with %s that has %q",
					line, strings.TrimPrefix(release, "v"), mark, words))
			}
		}
	}
	switch {
	case next == "" || len(gone)+len(added) == 0:
	case broken && semver.Major(release) != "v0" && semver.Major(next) == semver.Major(release):
		errs = append(errs, fmt.Errorf("%s breaks what %s promised; it needs a new major version", next, release))
	case semver.MajorMinor(next) == semver.MajorMinor(release):
		errs = append(errs, fmt.Errorf("%s is a patch of %s but changes the API; it needs the next minor version", next, release))
	}
	return errors.Join(errs...)
}

var anInterface = regexp.MustCompile(`^(pkg \S+, type \S.* interface \{) (.*) \}$`)

// grown reports whether a line of an interface that users may implement has become one with another method.
func grown(line string, added []string) bool {
	parts := anInterface.FindStringSubmatch(line)
	if parts == nil || strings.Contains(line, sealed) {
		return false
	}
	methods := strings.Split(parts[2], ", ")
	return slices.ContainsFunc(added, func(line string) bool {
		now := anInterface.FindStringSubmatch(line)
		return now != nil && now[1] == parts[1] && len(less(strings.Split(now[2], ", "), methods)) > 0
	})
}

func longer(line string, added []string) bool {
	return strings.Contains(line, ", log ") &&
		slices.ContainsFunc(added, func(now string) bool { return strings.HasPrefix(now, line+" ") })
}

var named = []*regexp.Regexp{
	regexp.MustCompile(`, log \S+ "((?:[^"\\]|\\.)*)"`),
	regexp.MustCompile(`, method \(\*?(\w+)\) (\w+)`),
	regexp.MustCompile(`, type (\w+)\S* (?:struct|interface), (?:embedded )?(\w+)`),
	regexp.MustCompile(`, (?:const|func|type|var) (\w+)`),
	regexp.MustCompile(`^(?:annotation|environment) (\S+)`),
}

// wordsOf are what an entry of the changelog has to have about a line.
func wordsOf(line string) []string {
	for _, name := range named {
		if words := name.FindStringSubmatch(line); words != nil {
			return words[1:]
		}
	}
	return []string{line}
}

// mark stands in an entry that can break a build, an alert or a script.
const mark = "⚠"

func warns(entry string, words []string) bool {
	return strings.Contains(entry, mark) && !slices.ContainsFunc(words, func(word string) bool {
		return !regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(word) + `($|[^\pL\pN_])`).MatchString(entry)
	})
}

var (
	section = regexp.MustCompile(`(?m)^## \[(.+?)\].*$`)
	entry   = regexp.MustCompile(`(?m)^[-*] `)
)

// sectionsSince returns the entries of a changelog above the section of a version, and the newest version that has one.
func sectionsSince(changelog, version string) (entries []string, next string) {
	for _, at := range section.FindAllStringSubmatchIndex(changelog, -1) {
		name := changelog[at[2]:at[3]]
		if name == version {
			break
		}
		if name != "Unreleased" && next == "" {
			next = "v" + name
		}
		body, _, _ := strings.Cut(changelog[at[1]:], "\n## ")
		entries = append(entries, entry.Split(body, -1)[1:]...)
	}
	return entries, next
}
