// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package suite is a stub for the analyzers' tests.
package suite

import "testing"

type Suite struct{}

func (s *Suite) T() *testing.T { return nil }
