// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package security has the tests of the whole SDK that SECURITY.md names. They check which data
// leaves the process, and how much harm a hostile API server can do.
package security
