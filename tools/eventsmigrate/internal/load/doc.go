// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load finds and loads the packages of a migration.
//
//	project (modules, temporary go.mod) ─▶ scope (which packages reach a recorder) ─▶ program (their syntax and types)
//
// Everything comes from source, so nothing is compiled, which takes many minutes where the build cache is empty. What
// depends on a package that is edited comes with its syntax, in all variants, because it is checked again after the edits.
// Of all else only the types of what it declares are kept.
package load
