// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var projects = flag.String("projects", "", "modules of the proxy to migrate, as path@version, separated by commas")

// Modules that this tool was not made for are migrated: at least 95 of 100 calls are rewritten, everything compiles and
// vets, what passed of their own tests still passes, and a second run changes nothing. Downloads and compiles for minutes,
// so it runs when -projects says of what.
func TestProjects(t *testing.T) {
	if *projects == "" {
		t.Skip("no -projects")
	}
	for _, name := range strings.Split(*projects, ",") {
		t.Run(name, func(t *testing.T) {
			m := download(t, name)
			m.run("go", "mod", "tidy")
			calls, before := oldCalls(t, m.dir), m.results()
			first, _ := m.migrate("-fix")
			for _, line := range leftOf(first) {
				t.Log("left: ", line)
			}
			m.run("go", "mod", "tidy")
			m.run("go", "build", "./...")
			checkCalls(t, calls, oldCalls(t, m.dir))
			after := m.results()
			for name, result := range before {
				if result == "pass" && after[name] != "pass" {
					t.Errorf("%s passed before and does not after", name)
				}
			}
			files := m.files()
			m.migrate("-fix")
			if diff := cmp.Diff(files, m.files()); diff != "" {
				t.Errorf("a second run changes files (-before +after):\n%s", diff)
			}
		})
	}
}

// download returns a copy of a module of the proxy, that finds the SDK in this tree.
func download(t *testing.T, name string) *module {
	t.Helper()
	m := &module{t: t, dir: t.TempDir()}
	_, version, _ := strings.Cut(name, "@")
	m.copyOf(name, version)
	root, err := filepath.Abs("../../..")
	m.must(err)
	m.run("go", "mod", "edit", "-replace=github.com/eventseries/eventseries="+root)
	return m
}

// copyOf copies a module of the proxy, and makes it require the other modules of its repository at a version.
func (m *module) copyOf(name, version string) {
	m.t.Helper()
	m.must(os.MkdirAll(m.dir, 0o700))
	var found struct{ Dir string }
	m.must(json.Unmarshal([]byte(m.run("go", "mod", "download", "-json", name)), &found))
	m.must(os.CopyFS(m.dir, os.DirFS(found.Dir)))
	m.must(filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		m.must(err)
		return os.Chmod(path, info.Mode()|0o200) // the module cache is read-only
	}))
	for _, name := range []string{"vendor", "go.work", "go.work.sum"} {
		m.must(os.RemoveAll(filepath.Join(m.dir, name)))
	}
	m.published(version)
}

// published takes modules of the same repository from the proxy, because a module has no directories of others.
func (m *module) published(version string) {
	m.t.Helper()
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	m.must(json.Unmarshal([]byte(m.run("go", "mod", "edit", "-json")), &mod))
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, ".") {
			m.run("go", "mod", "edit", "-dropreplace="+r.Old.Path, "-require="+r.Old.Path+"@"+version)
		}
	}
}

// results are those of vet, and of the tests by package. Tests that want a cluster fail before, too.
func (m *module) results() map[string]string {
	m.t.Helper()
	_, code := m.exec("go", "vet", "./...")
	results := map[string]string{"vet": map[bool]string{true: "pass", false: "fail"}[code == 0]}
	test := m.command("go", "test", "-json", "-timeout=5m", "./...")
	out, _ := test.Output() // it fails if a test does
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		var line struct{ Action, Package, Test string }
		m.must(lines.Decode(&line))
		if line.Test == "" && (line.Action == "pass" || line.Action == "fail") {
			results[line.Package] = line.Action
		}
	}
	return results
}
