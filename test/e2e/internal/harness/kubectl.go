// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Kubectl runs kubectl as the administrator and returns what it printed.
func (e *Env) Kubectl(args ...string) string {
	e.t.Helper()
	return e.kubectl("", args...)
}

// Apply applies a manifest with kubectl.
func (e *Env) Apply(manifest string) {
	e.t.Helper()
	e.kubectl(manifest, "apply", "-f", "-")
}

func (e *Env) kubectl(input string, args ...string) string {
	e.t.Helper()
	program := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	cmd := exec.CommandContext(e.t.Context(), program, append([]string{"--kubeconfig", e.kubeconfig}, args...)...)
	// kubectl caches discovery in the home directory.
	cmd.Env = append(cmd.Environ(), "HOME="+e.t.TempDir())
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		e.t.Fatalf("kubectl %s: %v\n%s\n%s", strings.Join(args, " "), err, out, input)
	}
	return string(out)
}
