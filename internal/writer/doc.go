// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package writer brings an API server up to date. Items that need a write wait in queues by
// namespace and class, one dispatcher takes the most urgent one while the window has room, and
// failures back off. Package request says what an answer means.
//
//	Enqueue ──▶ namespace ──▶ dispatcher ──▶ Attempt ──▶ request.Verdict ──▶ judge ──▶ window, gates
//	               ▲                                             │
//	               └────────── the class of the next write ──────┘
//
// The writer knows nothing about an item: the attempt does the write and keeps the item's
// state. An item must not be enqueued again before its attempt has returned. The attempt's
// result says whether it needs another write.
//
// # Files
//
// In the order in which they can be read alone:
//
//   - writer.go: [Writer] with its queues from outside: Enqueue, OpenGates, Inspect.
//   - dispatch.go: a job from its choice to its answer, and how slow jobs make room for others.
//   - queue.go: which item is next, with the requirement behind each rule.
//   - gate.go: the back-off of the server and of a namespace, and what is kept of a namespace.
//   - judge.go: whose fault an answer is.
//   - window.go: how many writes may be in flight.
//
// # States
//
// A gate is open or closed, and lets one probe through when its time has come:
//
//	open ──bad answer──▶ closed ──time──▶ probing ──good answer──▶ open
//	                       ▲                 │
//	                       └───bad answer────┘ the wait doubles
//
// The server's gate opens when its probe is slow, too, because a write that is not refused has
// reached the server, unless the last slow probe was refused after all.
//
// The judge knows of each namespace whether it is untried, healthy, in doubt or failing (see
// health). The window grows by one a round while something waits, and is halved when the server
// has too much to do. A namespace stands in one of these sets at a time (see ready):
//
//	writable ──more in flight than its share──▶ in none ──answer──▶ writable
//	writable ──bad answers──▶ delayed ──time──▶ failing ──probe──▶ in none ──good answer──▶ writable
//
// DESIGN.md has the whole policy on one page.
package writer
