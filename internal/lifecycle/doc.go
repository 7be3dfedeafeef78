// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lifecycle owns every goroutine of the SDK. It has the only go statement of
// the SDK's own code, so each goroutine has one owner, one stop and one join.
// TestOneGoStatement in test/repository looks for other go statements.
package lifecycle
