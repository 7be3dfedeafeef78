// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rbac reads what a project ships as RBAC and says whether it lets a component record Events.
//
//	fs.FS ─▶ kustomizations ─┐
//	         plain manifests ─┼─▶ sources ─▶ grants ─▶ Verify: problems, with the rule to add
//	         marker comments ─┘                     ─▶ Rules: who may do what, for a fake API server
//
// Each source is judged alone: a rule in one overlay is of no help where another one is applied. The package only
// reads; it knows no cluster, and it never panics on what it reads.
package rbac
