// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"fmt"
	"os"
	"testing"

	"github.com/eventseries/eventseries/test/e2e/internal/accounts"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
)

// table has a row for each scenario.
var table accounts.Table

func TestMain(m *testing.M) {
	controlplane.Main()
	code := m.Run()
	fmt.Println()
	table.Print(os.Stdout)
	os.Exit(code)
}
