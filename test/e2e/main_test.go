// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
)

// shared is the control plane, with default flags, of all tests that want no
// other.
var shared *controlplane.Plane

func TestMain(m *testing.M) {
	controlplane.Main()
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	var err error
	if shared, err = controlplane.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := shared.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	return m.Run()
}
