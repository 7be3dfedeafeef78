// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package writer brings an API server up to date: a queue of items that need a
// write, a few workers, and back-off. Series and the objects of package legacy go
// through it alike. What an answer means is in package request.
//
//	Enqueue ──▶ namespaceQueue ──▶ gate ──▶ worker ──▶ Attempt ──▶ request.Verdict ──▶ gate
//
// The writer knows nothing about an item: the attempt does the write and keeps the
// item's state. An item must not be enqueued again before its attempt has
// returned. The attempt's result says whether it needs another write.
//
// A namespace whose writes hang or fail must not hold up the others. Its queue is
// suspect from a bad answer, or from an attempt that takes more than a second, to
// its next good answer. Attempts of suspect queues have a bound of their own and
// take no worker away from the others. DESIGN.md has the whole policy in one table.
package writer
