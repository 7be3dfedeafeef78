// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package moduletest makes small modules for tests. They build without a network: what they need of Kubernetes and of
// the SDK are the stubs that the analyzers' own tests use.
package moduletest

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// stubs are the modules in testdata/src.
var stubs = []string{
	"k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/klog/v2",
	"sigs.k8s.io/controller-runtime", "github.com/eventseries/eventseries",
}

// Write makes the files of a txtar archive in a directory of the test's own, and returns it. A go.mod that says
// "require stubs" requires all stubs but the SDK; "require sdk" requires that, too.
func Write(t *testing.T, archive string) string {
	t.Helper()
	root, err := os.MkdirTemp("", "module-") // t.TempDir has the test's name, and go.mod does not like commas
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	for _, stub := range stubs {
		write(t, filepath.Join(root, "stubs", stub, "go.mod"), "module "+stub+"\n\ngo 1.25.0\n")
		if err := copyStub(stub, filepath.Join(root, "stubs", stub)); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range txtar.Parse([]byte(archive)).Files {
		text := string(file.Data)
		if path.Base(file.Name) == "go.mod" {
			text = expand(text, filepath.Join(root, "stubs"))
		}
		write(t, filepath.Join(root, "module", filepath.FromSlash(file.Name)), text)
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOTOOLCHAIN", "local")
	return filepath.Join(root, "module")
}

// Go runs the go command and fails the test if that fails.
func Go(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("go", args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Read returns the text of a file.
func Read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// version is new enough for every target.
func version(stub string) string {
	if stub == "k8s.io/klog/v2" {
		return "v2.140.0"
	}
	return "v0.37.0"
}

// expand turns "require stubs" and "require sdk" into requirements, and replaces all stubs.
func expand(text, dir string) string {
	var required, replaced strings.Builder
	for _, stub := range stubs {
		line := fmt.Sprintf("require %s %s // indirect\n", stub, version(stub))
		if !strings.Contains(stub, "eventseries") {
			required.WriteString(line)
		} else {
			text = strings.Replace(text, "require sdk\n", strings.Replace(line, " // indirect", "", 1), 1)
		}
		fmt.Fprintf(&replaced, "replace %s => %s\n", stub, filepath.Join(dir, stub))
	}
	return strings.Replace(text, "require stubs\n", required.String()+"\n"+replaced.String(), 1)
}

func copyStub(stub, to string) error {
	_, file, _, _ := runtime.Caller(0)
	from := filepath.Join(filepath.Dir(file), "..", "..", "testdata", "src", filepath.FromSlash(stub))
	return os.CopyFS(to, os.DirFS(from))
}
