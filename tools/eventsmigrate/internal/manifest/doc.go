// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest finds and edits RBAC for Events. It only ever adds access to events.k8s.io.
//
//	files ──▶ Read ──▶ Role ──▶ Settle ──▶ what each role needs ──▶ Insert
//
// A [Role] is any place that grants something: a role in YAML, in a Helm template, in jsonnet, in Go code or in a
// string of Go code, or the kubebuilder markers of a module. Settle compares the roles: some are copies of others, or
// whoever has one of them has another one, too. Insert adds the rule for recording behind the rule that is there, in
// YAML, in templates where no action is in the way, and in lists of Go code. Markers are edited together with the role
// that controller-gen makes of them.
package manifest
