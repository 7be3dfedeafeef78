// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migration has eventsmigrate migrate whole programs, runs them on a real API server as the
// service account of their own RBAC, and looks at their Events.
package migration
