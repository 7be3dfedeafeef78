// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"testing"

	"go.uber.org/goleak"
)

// What TestLeaks makes client-go leak it also ends, so that this holds here as well.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
