// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migration tests eventsmigrate with whole programs. It migrates each program, runs the
// result with a real API server, as a service account that has only the RBAC of the program's own
// manifests, and checks the Events.
package migration
