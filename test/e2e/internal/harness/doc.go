// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package harness prepares a test with a real API server. A test gets a namespace, a user with a
// certificate and without any permission, a client whose network it can disturb, and kubectl. At
// the end of the test the harness checks that no goroutine is left.
package harness
