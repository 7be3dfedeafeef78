// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package golden keeps the surface of a module in checked-in files, so that a review shows what changes for users.
package golden

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/release/internal/surface"
)

// Dir is where the files are in a module.
const Dir = "api"

// Logs and Names are the files of what the type checker does not see.
const (
	Logs  = "logs.txt"
	Names = "names.txt"
)

// remedy is what to do about a file that differs.
const remedy = "run make api, and say the change in CHANGELOG.md"

// Files are the contents of the golden files by their names.
type Files map[string][]byte

// Of returns the files for a module: one for each public package that exports something, named after it, one for the
// log lines and one for the names.
func Of(m *surface.Module) (Files, error) {
	files := Files{}
	add := func(name, title string, lines []string) error {
		if len(lines) == 0 {
			return nil
		}
		if files[name] != nil {
			return fmt.Errorf("two packages want the golden file %s; rename one", name)
		}
		head := "# " + title + " Written by make api; VERSIONING.md says what a change means.\n"
		files[name] = []byte(head + strings.Join(lines, "\n") + "\n")
		return nil
	}
	var errs []error
	for _, p := range m.Public {
		name := m.Name(p.PkgPath)
		errs = append(errs, add(path.Base(name)+".txt", "The exported API of package "+name+".", m.Exported(p)))
	}
	logs, err := m.Logs()
	errs = append(errs, err,
		add(Logs, "What the SDK logs: package, level, message, keys.", logs),
		add(Names, "Annotations and variables of the environment.", m.Names()))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return files, nil
}

// Lines returns what a file says, without its head.
func Lines(content []byte) []string {
	return slices.DeleteFunc(strings.Split(string(content), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// Write makes dir hold the files and no other golden file.
func (f Files) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	have, err := read(dir)
	if err != nil {
		return err
	}
	for name := range have {
		if f[name] == nil {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	for name, content := range f {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Check returns an error that shows how the files in dir differ, and says what to do about it.
func (f Files) Check(dir string) error {
	have, err := read(dir)
	if err != nil {
		return err
	}
	names := slices.Concat(slices.Collect(maps.Keys(f)), slices.Collect(maps.Keys(have)))
	slices.Sort(names)
	var diff strings.Builder
	for _, name := range slices.Compact(names) {
		if !bytes.Equal(have[name], f[name]) {
			fmt.Fprintf(&diff, "%s\n%s", path.Join(Dir, name), Diff(Lines(have[name]), Lines(f[name])))
		}
	}
	if diff.Len() > 0 {
		return fmt.Errorf("the API is not what %s/ says; %s:\n%s", Dir, remedy, diff.String())
	}
	return nil
}

// read returns the golden files in dir, none if there is no such directory.
func read(dir string) (Files, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	files := Files{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[filepath.Base(path)] = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	}
	return files, nil
}

// Diff shows which of the sorted lines are gone and which are new.
func Diff(old, now []string) string {
	var diff strings.Builder
	for _, line := range slices.Sorted(slices.Values(append(Gone(old, now), Gone(now, old)...))) {
		sign := "+"
		if slices.Contains(old, line) {
			sign = "-"
		}
		fmt.Fprintf(&diff, "%s %s\n", sign, line)
	}
	return diff.String()
}

// Gone returns the lines that now does not have any more.
func Gone(old, now []string) []string {
	return slices.DeleteFunc(slices.Clone(old), func(line string) bool { return slices.Contains(now, line) })
}
