// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package writer brings an API server up to date: what needs a write waits in queues by
// namespace and class, one dispatcher takes the most urgent while the window has room, and
// what fails backs off. What an answer means is in package request.
//
//	Enqueue ──▶ namespace ──▶ dispatcher ──▶ Attempt ──▶ request.Verdict ──▶ judge ──▶ window, gates
//
// The writer knows nothing about an item: the attempt does the write and keeps the item's
// state. An item must not be enqueued again before its attempt has returned. The attempt's
// result says whether it needs another write. DESIGN.md has the whole policy on one page.
package writer
