// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/eventseries/eventseries/adapter"
)

func TestMain(m *testing.M) {
	os.Unsetenv(adapter.Environment) // the tests are about both, and say when it is set
	goleak.VerifyTestMain(m)
}
