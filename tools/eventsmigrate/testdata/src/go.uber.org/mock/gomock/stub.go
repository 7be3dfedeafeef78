// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gomock is a stub for the analyzers' tests.
package gomock

type (
	Call    struct{}
	Matcher interface{ Matches(x any) bool }
)

func Any() Matcher { return nil }
