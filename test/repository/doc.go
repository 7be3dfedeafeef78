// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package repository tests the files of the repository: the imports between packages, the code and
// the names in pages and doc comments, links, licence headers, and the permissions of workflows.
package repository
