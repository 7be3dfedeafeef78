// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rest is a stub for the analyzers' tests.
package rest

type Config struct {
}
