// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clienttests

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: the first error of a test lost; an import whose last user went left behind; a declaration that compiles removed.
func TestLeaveOut(t *testing.T) {
	const text = `package p

import (
	"fmt"
	"testing"
)

func TestInternals(t *testing.T) {
	newInternal()
	alsoInternal()
}

func helper() { newInternal() }

func TestBehaviour(t *testing.T) {}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "p_test.go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const compiled = `# p
./p_test.go:4:2: "fmt" imported and not used
./p_test.go:9:2: undefined: newInternal
./p_test.go:10:2: undefined: alsoInternal
./p_test.go:13:17: undefined: newInternal
`
	tests, err := leaveOut(dir, compiled)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"TestInternals": "undefined: newInternal"}, tests); diff != "" {
		t.Errorf("left out: -want +got\n%s", diff)
	}
	left, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const want = "package p\n\nimport (\n\t\n\t\"testing\"\n)\n\n\n\n\n\nfunc TestBehaviour(t *testing.T) {}\n"
	if diff := cmp.Diff(want, string(left)); diff != "" {
		t.Errorf("file: -want +got\n%s", diff)
	}
	if _, err := leaveOut(dir, "internal compiler error"); err == nil {
		t.Error("what no test is the cause of is no error")
	}
	if _, err := leaveOut(dir, "./p_test.go:1:1: wrong package\n"); err == nil {
		t.Error("an error outside of all declarations would be found for ever, and is none")
	}
}

func TestFirstFailure(t *testing.T) {
	for out, want := range map[string]string{
		"--- FAIL: TestA (0.1s)\n    a_test.go:7: first\n    a_test.go:8: second\n": "first",
		"panic: test timed out after 30s\n\ngoroutine 1":                            "test timed out after 30s",
		"exit status 2\n": "failed without a word",
	} {
		if got := firstFailure(out); got != want {
			t.Errorf("first failure of %q: %q, want %q", out, got, want)
		}
	}
}
