// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package plural writes a number together with its noun, for log lines, errors and pages that people
// read: "1 occurrence", "2 occurrences". All functions are pure and safe for concurrent use.
package plural
