// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtime is a stub for the analyzers' tests.
package runtime

func Must(err error) {}
