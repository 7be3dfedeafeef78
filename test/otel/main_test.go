// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// asCollector is set in the environment of a child process that is a collector.
const asCollector = "EVENTSERIES_TEST_COLLECTOR"

func TestMain(m *testing.M) {
	if os.Getenv(asCollector) != "" {
		if err := runCollector(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}
