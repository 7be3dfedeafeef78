// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package prometheus runs the alerts and the dashboard of contrib/prometheus on a real Prometheus, which scrapes a
// component that records on a real API server.
package prometheus

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
)

// mixin has the alerts and the dashboard.
const mixin = "../../../contrib/prometheus/mixin/"

// plane is the control plane of all tests.
var plane *controlplane.Plane

func TestMain(m *testing.M) {
	controlplane.Main()
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	var err error
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

// program returns the path of prometheus or promtool.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../../bin/prometheus", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v: run `make prometheus` in the root of the repository", err)
	}
	return path
}
