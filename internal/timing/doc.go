// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package timing has the times of the SDK: after how long it writes, asks, gives up or logs again, and how it backs
// off. DESIGN.md has them as a table, which test/repository makes of this package.
package timing
