// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest gives a module's RBAC the API group events.k8s.io beside core/v1, for a program that comes to record
// through it. Without, every Event is lost, silently, while everything else works.
//
//	Go files ──▶ markers ───────────────┐
//	YAML ──▶ documents ──▶ roles ──▶ insertions ──▶ checked ──▶ edits
//	Helm templates, masked ──┘          └─▶ findings: what was done, kept, or needs a human
//
// # Guarantees
//
//   - An edit only inserts: every byte that was there is still there, in its order.
//   - After an insertion the YAML is parsed again. If it differs by anything but the item that was meant, the
//     insertion is withdrawn and reported.
//   - Access to core/v1 is never taken away.
//   - A second run over the result changes nothing.
//   - A file that cannot be read or parsed is one finding, and no other file suffers for it.
//
// Plan writes nothing; it is for the caller to apply the edits.
package manifest
