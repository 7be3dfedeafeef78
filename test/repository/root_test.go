// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"os"
	"testing"
)

// The tests name files as they are named from the root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
