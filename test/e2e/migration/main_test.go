// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
)

var (
	// plane is the control plane of all tests.
	plane *controlplane.Plane
	// tool is eventsmigrate, built from this tree.
	tool string
)

func TestMain(m *testing.M) {
	controlplane.Main()
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "eventsmigrate")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	tool = filepath.Join(dir, "eventsmigrate")
	build := exec.Command("go", "build", "-o", tool, ".")
	build.Dir = "../../../tools/eventsmigrate"
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "cannot build the tool: %v\n%s", err, out)
		return 1
	}
	if plane, err = controlplane.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := plane.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	return m.Run()
}
