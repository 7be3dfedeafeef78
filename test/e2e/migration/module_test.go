// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module is a copy of a module of the tool's own test data.
type module struct{ dir string }

// newModule copies a module and migrates it, unless there is no target.
func newModule(t *testing.T, name, target string) *module {
	t.Helper()
	m := &module{dir: t.TempDir()}
	if err := os.CopyFS(m.dir, os.DirFS("../../../tools/eventsmigrate/e2e/testdata/"+name)); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	m.run(t, "go", "mod", "edit", "-replace=github.com/eventseries/eventseries="+root)
	if target == "" {
		return m
	}
	out, err := m.command(t, tool, "-fix", "-sdk", "v0.0.0", "-target", target, "./...").CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: something is left to humans
		t.Fatalf("eventsmigrate: %v\n%s", err, out)
	}
	m.run(t, "go", "mod", "tidy")
	return m
}

// build builds a program of the module.
func (m *module) build(t *testing.T, pkg string) string {
	t.Helper()
	program := filepath.Join(m.dir, "program")
	m.run(t, "go", "build", "-o", program, pkg)
	return program
}

// text returns the files, one after the other, as one stream of manifests.
func (m *module) text(t *testing.T, files ...string) string {
	t.Helper()
	var all []string
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(m.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(content))
	}
	return strings.Join(all, "\n---\n")
}

func (m *module) run(t *testing.T, args ...string) {
	t.Helper()
	if out, err := m.command(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

func (m *module) command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	return cmd
}
