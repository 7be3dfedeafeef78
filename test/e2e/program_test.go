// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// Leading, stepping down and leading again is counted in one Event each.
func TestLeaderElectionExample(t *testing.T) {
	program := build(t, "./examples/leader-election")
	t.Run("Terms", func(t *testing.T) {
		env := harness.New(t, shared)
		run := exec.CommandContext(t.Context(), program, "-kubeconfig", kubeconfig(t, t.TempDir()),
			"-namespace", env.Namespace, "-identity", "me", "-terms", "2", "-term", "100ms")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want := map[string]int64{"me became leader": 2, "me stopped leading": 2}
		if diff := cmp.Diff(want, notes(env)); diff != "" {
			t.Errorf("Events (-want +got):\n%s", diff)
		}
	})
	t.Run("HandOverOnSIGTERM", func(t *testing.T) {
		env := harness.New(t, shared)
		run := exec.CommandContext(t.Context(), program, "-kubeconfig", kubeconfig(t, t.TempDir()),
			"-namespace", env.Namespace, "-identity", "me")
		out, err := run.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		if line, _ := bufio.NewReader(out).ReadString('\n'); !strings.Contains(line, "leads") {
			t.Errorf("the program said %q first, want that it leads", line)
		}
		if err := run.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, out)
		if err := run.Wait(); err != nil {
			t.Errorf("after SIGTERM: %v", err)
		}
		// Whether the lease is free again is up to client-go: its release meets a conflict when a renewal was under way.
		want := map[string]int64{"me became leader": 1, "me stopped leading": 1}
		if diff := cmp.Diff(want, notes(env)); diff != "" {
			t.Errorf("Events (-want +got):\n%s", diff)
		}
	})
}

// build returns the program that the SDK's own module makes of what.
func build(t *testing.T, what string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, what)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("cannot build %s: %v\n%s", what, err, out)
	}
	return program
}

// kubeconfig writes the administrator's to a file "config" in dir.
func kubeconfig(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, shared.Kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// notes returns the counts of a namespace's Events by their note.
func notes(env *harness.Env) map[string]int64 {
	counts := map[string]int64{}
	for _, event := range env.Events(env.Namespace) {
		counts[event.Note] += harness.Count(&event)
	}
	return counts
}
