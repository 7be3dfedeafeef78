// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rbacfile reads the files in which a project keeps its RBAC, with their positions.
//
//	fs.FS ──▶ Walk ──▶ Go files ───────▶ Markers
//	              ├──▶ manifests ──────▶ Split
//	              └──▶ kustomizations ─▶ ParseKustomization
//
// The package imports nothing of Kubernetes, changes nothing, and never panics on what it reads.
package rbacfile
