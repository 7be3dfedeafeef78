// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package tree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Touched returns the packages of the migrated tree that differ from those of the other one and have tests, as patterns.
func (t *Tree) Touched(before *Tree) (packages []string, err error) {
	differs, tested := map[string]bool{}, map[string]bool{}
	err = filepath.WalkDir(t.Dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		name, err := filepath.Rel(t.Dir, file)
		if err != nil {
			return err
		}
		pattern := "./" + filepath.ToSlash(filepath.Dir(name))
		tested[pattern] = tested[pattern] || strings.HasSuffix(file, "_test.go")
		ours, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		theirs, err := os.ReadFile(filepath.Join(before.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil // added
		}
		differs[pattern] = differs[pattern] || !bytes.Equal(ours, theirs)
		return err
	})
	for pattern := range differs {
		// The tests below test/ want a cluster.
		if differs[pattern] && tested[pattern] && !strings.HasPrefix(pattern, "./test/") {
			packages = append(packages, pattern)
		}
	}
	slices.Sort(packages)
	return packages, err
}

// UnitTests runs the tests of packages, and returns "pass", "fail" or "skip" by package and test. A package that does not
// compile has no test, and fails itself, with an empty name of the test.
func (t *Tree) UnitTests(ctx context.Context, packages []string) (map[string]string, error) {
	t.Say("running the unit tests of %d packages", len(packages))
	command := t.command(ctx, t.Dir, "go", append([]string{"test", "-json", "-count=1"}, packages...)...)
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Stderr = t.Log
	if err := command.Start(); err != nil {
		return nil, err
	}
	results, err := t.results(out, len(packages))
	var failed *exec.ExitError
	if waited := command.Wait(); !errors.As(waited, &failed) {
		err = errors.Join(err, waited)
	}
	return results, err
}

// results reads what go test prints.
func (t *Tree) results(out io.Reader, packages int) (map[string]string, error) {
	results, done := map[string]string{}, 0
	for lines := json.NewDecoder(out); ; {
		var line struct{ Action, Package, ImportPath, Test, Output string }
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return results, nil
		} else if err != nil {
			return nil, fmt.Errorf("what go test printed: %w", err)
		}
		switch line.Action {
		case "pass", "fail", "skip":
			if strings.Contains(line.Test, "/") {
				continue // the test that it is of has the same result
			}
			results[strings.TrimSpace(line.Package+" "+line.Test)] = line.Action
			if line.Test == "" {
				done++
				t.Say("%d of %d packages: %s %s", done, packages, line.Package, line.Action)
			}
		case "output", "build-output":
			if t.Log != nil {
				_, _ = io.WriteString(t.Log, line.Output)
			}
		}
	}
}
