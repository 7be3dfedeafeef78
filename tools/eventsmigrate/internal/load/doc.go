// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load finds and loads the packages that a migration concerns.
//
//	project (go.mod, go.work) ─▶ scope (cheap: who reaches a recorder?) ─▶ program (syntax and types of those)
//
// Dependencies come from the build cache's export data, as for go vet. The packages of the main modules come from
// source, all variants of them: what imports an edited package has to be checked again in every variant it is built in.
package load
