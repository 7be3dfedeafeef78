// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clienttests

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/eventseries/eventseries/test/kubernetes/internal/tree"
)

const (
	client = "k8s.io/client-go"
	sdk    = "github.com/eventseries/eventseries"
)

//go:embed files
var files embed.FS

// Result is what became of a test.
type Result struct {
	Package, Test string
	// Passed says whether it passed. Why is what it printed first if it did not, or the name that the SDK does not have.
	Passed, Run bool
	Why         string
}

// Run runs the tests of a version of client-go on the SDK in the directory root. It works in dir, which it removes first.
func Run(ctx context.Context, version, root, dir string) (all []Result, err error) {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return nil, err
	}
	source, err := tree.Download(ctx, client+"@"+version)
	if err != nil {
		return nil, err
	}
	mod := fmt.Sprintf("module clienttests\n\ngo 1.25.0\n\nrequire (\n\t%s %s\n\t%s v0.0.0\n)\n\nreplace %s => %s\n",
		client, version, sdk, sdk, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
		return nil, err
	}
	packages := []string{"events", "record"}
	for _, name := range packages {
		if err := copyTests(name, filepath.Join(source, "tools", name), filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	if _, err := output(ctx, dir, "go", "mod", "tidy"); err != nil {
		return nil, err
	}
	for _, name := range packages {
		results, err := runPackage(ctx, filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, results...)
	}
	return all, nil
}

// copyTests copies the tests of a package, with our file in place of the rest.
func copyTests(name, from, to string) error {
	ours, err := files.ReadFile("files/" + name + ".go.txt")
	if err != nil {
		return err
	}
	if err := errors.Join(os.Mkdir(to, 0o700), os.WriteFile(filepath.Join(to, name+".go"), ours, 0o600)); err != nil {
		return err
	}
	tests, err := filepath.Glob(filepath.Join(from, "*_test.go"))
	if err != nil {
		return err
	}
	for _, test := range tests {
		text, err := os.ReadFile(test)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(test)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// runPackage leaves out what does not compile, and runs each test in a process of its own, because one that waits for what
// never comes would end the others.
func runPackage(ctx context.Context, dir string) (results []Result, err error) {
	name, program := filepath.Base(dir), filepath.Join(dir, "tests")
	for {
		out, err := output(ctx, dir, "go", "test", "-c", "-vet=off", "-gcflags=-e", "-o", program, ".")
		if err == nil {
			break
		}
		left, cut := leaveOut(dir, string(out))
		if cut != nil {
			return nil, errors.Join(err, cut)
		}
		for test, why := range left {
			results = append(results, Result{Package: name, Test: test, Why: why})
		}
	}
	out, err := output(ctx, dir, program, "-test.list=.")
	if err != nil {
		return nil, err
	}
	for test := range strings.FieldsSeq(string(out)) {
		result := Result{Package: name, Test: test, Run: true, Passed: true}
		if out, err := output(ctx, dir, program, "-test.run=^"+test+"$", "-test.timeout=30s"); err != nil {
			result.Passed, result.Why = false, firstFailure(string(out))
		}
		results = append(results, result)
	}
	return results, nil
}

// failure is a line of a test that failed.
var failure = regexp.MustCompile(`(?m)^\s+\w+_test\.go:\d+: (.*)$|^panic: (.*)$`)

func firstFailure(out string) string {
	if match := failure.FindStringSubmatch(out); match != nil {
		return match[1] + match[2]
	}
	return "failed without a word"
}

// output runs a command and returns what it printed.
func output(ctx context.Context, dir string, name string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return out, err
}
