// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gomock is a stub for the analyzers' tests.
package gomock

type (
	Call    struct{}
	Matcher interface{ Matches(x any) bool }
)

func (c *Call) AnyTimes() *Call             { return c }
func (c *Call) Return(results ...any) *Call { return c }

func Any() Matcher { return nil }
