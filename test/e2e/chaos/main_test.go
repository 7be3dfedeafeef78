// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"os"
	"testing"

	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
)

func TestMain(m *testing.M) {
	controlplane.Main()
	os.Exit(m.Run())
}
