// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest adds permission for events.k8s.io to a module's RBAC, beside that for core/v1. A program that records
// through events.k8s.io without it loses every Event silently, while everything else works.
//
//	Go files ──▶ markers, literals ─────┐
//	YAML ──▶ documents ──▶ roles ──▶ insertions ──▶ checked ──▶ edits
//	Helm templates, masked ──┘          └─▶ findings: what changes, stays, or needs a human
//
// # Guarantees
//
//   - An edit only inserts. No byte of a file is removed or moved.
//   - After an insertion the YAML is parsed again. If anything but the intended item differs, the insertion is withdrawn
//     and reported.
//   - Access to core/v1 is never taken away.
//   - A second run over the result changes nothing.
//   - A file that cannot be read or parsed is one finding, and the other files are edited.
//
// Plan writes nothing. The caller applies the edits. The package rbacfile reads the files.
package manifest
