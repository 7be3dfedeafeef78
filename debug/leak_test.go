// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/eventseries/eventseries/adapter"
)

func TestMain(m *testing.M) {
	os.Unsetenv(adapter.Environment)
	os.Unsetenv(adapter.EnvironmentSelector)
	goleak.VerifyTestMain(m)
}
