// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package repository tests the tree itself: imports between packages, the length of files, what pages show, Examples of
// exported names, the Makefile and the workflows.
package repository
