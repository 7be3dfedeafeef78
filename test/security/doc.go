// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package security has the tests that SECURITY.md names for the SDK as a whole: which data leaves the process, and
// what a hostile API server can do to it.
package security
