// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package machine says where, with which code and beside what a measurement ran:
// figures of different machines, or of different code, are not of one run, and
// those that were taken beside other programs are blurred.
package machine
