// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// module is a Go module, under another go.mod if modFile names one.
type module struct{ dir, modFile string }

// command is go with these arguments. The go.mod is named by GOFLAGS, so that the go commands that tests run heed it.
func (m module) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if m.modFile != "" {
		cmd.Env = append(cmd.Env, strings.TrimSpace("GOFLAGS="+os.Getenv("GOFLAGS")+" -modfile="+m.modFile))
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}

// version returns which version of a required module is used.
func (m module) version(ctx context.Context, path string) (string, error) {
	return m.output(ctx, "list", "-m", "-f", "{{.Version}}", path)
}

func (m module) output(ctx context.Context, args ...string) (string, error) {
	cmd := m.command(ctx, args...)
	var diagnosis strings.Builder
	cmd.Stderr = &diagnosis
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, diagnosis.String())
	}
	return strings.TrimSpace(string(out)), nil
}
