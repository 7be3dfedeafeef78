// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package moduletest makes small modules for tests. They build without a network: what they need of Kubernetes and of
// the SDK are the stubs that the analyzers' own tests use.
package moduletest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// sdk is the module path of the SDK.
const sdk = "github.com/eventseries/eventseries"

// stubs are the modules in testdata/src, in versions that are new enough for every target.
var stubs = map[string]string{
	"k8s.io/api": "v0.37.0", "k8s.io/apimachinery": "v0.37.0", "k8s.io/client-go": "v0.37.0", "k8s.io/klog/v2": "v2.140.0",
	"sigs.k8s.io/controller-runtime": "v0.37.0", sdk: "v0.37.0",
}

// Stub is the directory of the stub of a module.
func Stub(module string) string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata", "src", filepath.FromSlash(module))
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
	required, replaced := "", "\n"
	for _, stub := range slices.Sorted(maps.Keys(stubs)) {
		if stub != sdk {
			required += fmt.Sprintf("require %s %s // indirect\n", stub, stubs[stub])
		}
		replaced += fmt.Sprintf("replace %s => %s\n", stub, Stub(stub))
	}
	expand := strings.NewReplacer("require sdk\n", "require "+sdk+" "+stubs[sdk]+"\n", "require stubs\n", required+replaced)
	for _, file := range txtar.Parse([]byte(archive)).Files {
		name, text := filepath.Join(root, "module", filepath.FromSlash(file.Name)), string(file.Data)
		if path.Base(file.Name) == "go.mod" {
			text = expand.Replace(text)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
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
