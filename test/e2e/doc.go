// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e has the tests that need a real API server, and no other code. It is in a module of
// its own, together with the benchmarks and the tests with real Kubernetes components, so that
// their dependencies are not in the SDK's go.mod.
package e2e
