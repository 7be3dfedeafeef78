// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package repository holds the tree to its rules: who imports whom, how long a file may be, what a page may show, which
// exported name needs an Example, what the Makefile and the workflows must have.
package repository
