// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rbac evaluates what a project ships as RBAC: does it let a component record Events?
//
//	fs.FS ─▶ kustomizations ──┐
//	         plain manifests ─┼─▶ sources ─▶ grants ─▶ Verify: problems, with the rule to add
//	         markers ─────────┘                     ─▶ Rules: who may do what, for a fake API server
//
// Each source is checked by itself, because a rule in one overlay is of no help where another one is applied. The
// package rbacfile reads the files. No cluster is asked, and nothing in a file makes this package panic.
package rbac
