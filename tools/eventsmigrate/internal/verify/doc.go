// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package verify makes sure that what is written compiles.
//
//	rewrite ─▶ apply in memory ─▶ type-check what is edited and all that imports it ─▶ done
//	   ▲                                       │ errors
//	   └────────────── freeze ◀────────────────┘
//
// A frozen file keeps its old types, and the rewrite converts values that pass to or from it. If that does not compile
// either, its package is frozen, then what the package imports, then everything. So the loop ends, and what is written
// compiles.
package verify
