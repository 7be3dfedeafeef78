// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package timing has every time of the SDK's runtime: how long it waits before it writes, asks,
// gives up or logs again, and the doubling of its back-offs. DESIGN.md has a table of them, which
// TestTimes of test/repository generates from the comments here.
package timing
