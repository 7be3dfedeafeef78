// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package series is the pure core of the SDK: which occurrences belong together
// ([Key]), what a series of them wants written and when ([Series]), and a bounded,
// sharded cache of all series ([Cache]). It does no I/O, starts no goroutine and
// reads no clock: callers pass the time in and take writes out.
package series
