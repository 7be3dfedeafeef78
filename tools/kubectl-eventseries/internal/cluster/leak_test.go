// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
