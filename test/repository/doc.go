// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package repository tests the tree itself: imports between packages, what pages and doc comments show and name, links,
// licence headers, and what workflows may do.
package repository
