// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e holds the tests that need a real API server. It has no code of its
// own. With the benchmarks and the runs of real components it is a module of its
// own, so that what they need stays out of the SDK's go.mod.
package e2e
