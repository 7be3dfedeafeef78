// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rbacfile reads the files in which a project keeps its RBAC, with their positions.
//
//	fs.FS ──▶ Walk ──▶ Go files ───────▶ Markers
//	              ├──▶ manifests ──────▶ Split
//	              └──▶ kustomizations ─▶ ParseKustomization
//
// The package imports nothing of Kubernetes, changes nothing, and never panics on what it reads.
//
// # The copy
//
// The test kit evaluates what is read (internal/testkit/rbac), and eventsmigrate edits it. Both need the same reader.
// But eventsmigrate is a module of its own, and cannot import this one: go install refuses a module with a replace
// directive, and without one it would require a version of this module that does not exist before the release. So it
// has a copy in tools/eventsmigrate/internal/rbacfile. A test keeps the two identical, and rewrites the copy with:
//
//	go test ./internal/testkit/rbacfile -update
package rbacfile
