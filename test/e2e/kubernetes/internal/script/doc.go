// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package script makes things happen in the cluster. It does the same before and after the
// migration.
package script
