// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package timing contains all time constants of the SDK's runtime, such as intervals, timeouts and
// back-offs. TestTimes of test/repository generates the table of times in DESIGN.md from the
// comments.
package timing
