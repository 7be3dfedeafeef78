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

// SIGTERM is a hand-over: the last Event is on the server.
func TestLeaderElectionExample(t *testing.T) {
	env := harness.New(t, shared)
	run := exec.CommandContext(t.Context(), build(t, "./examples/leader-election"), "-kubeconfig", kubeconfig(t),
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
	counts := map[string]int64{}
	for _, event := range env.Events(env.Namespace) {
		counts[event.Note] += harness.Count(&event)
	}
	want := map[string]int64{"me became leader": 1, "me stopped leading": 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
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

// kubeconfig is the administrator's, in a file.
func kubeconfig(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, shared.Kubeconfig, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
