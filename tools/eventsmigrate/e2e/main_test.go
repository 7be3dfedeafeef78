// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// tool is the program, built from this tree.
var tool string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		fmt.Println("skipped: builds large modules")
		return 0
	}
	dir, err := os.MkdirTemp("", "eventsmigrate")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	tool = filepath.Join(dir, "eventsmigrate")
	if out, err := exec.Command("go", "build", "-o", tool, "..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "cannot build the tool: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
