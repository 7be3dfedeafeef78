// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package harness gives each test a namespace, a user with a certificate of its
// own and no rights, a client whose network it can disturb, kubectl, and a check
// that no goroutine outlives it.
package harness
