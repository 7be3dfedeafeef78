// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package schema is a stub for the analyzers' tests.
package schema

type GroupVersionKind struct{ Group, Version, Kind string }

type ObjectKind interface {
}
