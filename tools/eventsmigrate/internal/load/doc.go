// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load finds and loads the packages of a migration.
//
//	project (modules, temporary go.work) ─▶ scope (which packages reach a recorder) ─▶ program (their syntax and types)
//
// What depends on a package that is edited comes from source, in all variants, because it is checked again after the edits.
// All else comes from the build cache's export data, as for go vet. The go command compiles what it lists with export data,
// so it lists twice: everything without, and what the packages from source import with it.
package load
