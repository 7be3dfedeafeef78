// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package script is what happens in the cluster: the same before and after the migration.
package script
