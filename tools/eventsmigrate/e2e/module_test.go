// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// sdk is the version of the SDK that go.mod gets; it is replaced by this tree.
const sdk = "v0.0.0"

// module is a copy of a module.
type module struct {
	t   *testing.T
	dir string
}

// newModule copies the module in a directory or in an archive of that name, and lets it find the SDK in this tree.
func newModule(t *testing.T, from string) *module {
	t.Helper()
	m, files := &module{t: t, dir: t.TempDir()}, os.DirFS(from)
	if archive, err := txtar.ParseFile(from + ".txtar"); err == nil {
		files, err = txtar.FS(archive)
		m.must(err)
	}
	m.must(os.CopyFS(m.dir, files))
	root, err := filepath.Abs("../../..")
	m.must(err)
	m.run("go", "mod", "edit", "-replace=github.com/eventseries/eventseries="+root)
	return m
}

// run runs a command that must succeed.
func (m *module) run(args ...string) string {
	m.t.Helper()
	out, code := m.exec(args...)
	if code != 0 {
		m.t.Fatalf("%v: exit code %d\n%s", args, code, out)
	}
	return out
}

// exec runs a command and returns what it printed and its exit code.
func (m *module) exec(args ...string) (string, int) {
	m.t.Helper()
	cmd := m.command(args...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (m *module) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(m.t.Context(), args[0], args[1:]...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath") // so copies of a module share the build cache
	return cmd
}

// build builds the module's scenario.
func (m *module) build() string {
	m.t.Helper()
	program := filepath.Join(m.t.TempDir(), "scenario")
	m.run("go", "build", "-o", program, "./cmd/scenario")
	return program
}

// files returns a hash of every file by its path.
func (m *module) files() map[string]string {
	m.t.Helper()
	all := map[string]string{}
	m.must(fs.WalkDir(os.DirFS(m.dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(m.dir, path))
		all[path] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	}))
	return all
}

func (m *module) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// report is what the tool says with -json.
type report struct {
	Written   bool    `json:"written"`
	Places    []place `json:"places"`
	Manifests []place `json:"manifests"`
	Diff      string  `json:"diff"`
}

type place struct {
	Rule    string `json:"rule"`
	Status  string `json:"status"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// migrate migrates the module, and returns the report and the exit code.
func (m *module) migrate(flags ...string) (*report, int) {
	m.t.Helper()
	return m.tool(append(flags, "-sdk", sdk)...)
}

// tool runs the tool on all packages, and returns the report and the exit code.
func (m *module) tool(args ...string) (*report, int) {
	m.t.Helper()
	cmd := m.command(append(append([]string{tool}, args...), "-json", "./...")...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	r := &report{}
	if jsonErr := json.Unmarshal(out, r); jsonErr != nil {
		m.t.Fatalf("eventsmigrate %v: %v, %v\n%s", args, err, jsonErr, out)
	}
	return r, cmd.ProcessState.ExitCode()
}
