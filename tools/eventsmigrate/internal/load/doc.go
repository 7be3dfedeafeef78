// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load finds and loads the packages of a migration.
//
//	project (go.mod, go.work) ─▶ scope (which packages reach a recorder) ─▶ program (their syntax and types)
//
// Dependencies come from the build cache's export data, as for go vet. The packages of the main modules come from
// source in all variants, because what imports an edited package is checked again in each variant.
package load
