// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package security has the tests that SECURITY.md names for the SDK as a whole: what leaves the process, and what an
// API server can do to it.
package security
