// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package writer schedules the writes that bring an API server up to date. Items that need a write
// wait in queues, one for each namespace and class. A single dispatcher takes the most urgent item
// whenever the window has room. Failures cause a back-off. Package request defines what an answer
// means.
//
//	Enqueue ──▶ namespace ──▶ dispatcher ──▶ Attempt ──▶ request.Verdict ──▶ judge ──▶ window, gates
//	               ▲                                             │
//	               └────────── the class of the next write ──────┘
//
// The writer knows nothing about the items. The function Attempt sends the request and updates the
// state of the item. Its result says whether the item needs another write. An item must not be
// enqueued again before its attempt has returned.
//
// # Files
//
// In reading order:
//
//   - writer.go: [Writer] and its methods: Enqueue, OpenGates, Inspect.
//   - dispatch.go: the life of a job, and how slow jobs make room for others.
//   - queue.go: the order of items, with the requirement behind each rule.
//   - gate.go: the back-off of the server and of a namespace, and the state of a namespace.
//   - judge.go: who is at fault for an answer.
//   - window.go: the number of writes that may be in flight.
//
// # States
//
// A gate is the back-off of the server or of a namespace. It is open or closed. When the back-off
// has ended, a closed gate lets one write through, the probe:
//
//	open ──bad answer──▶ closed ──time──▶ probing ──good answer──▶ open
//	                       ▲                 │
//	                       └───bad answer────┘ the wait doubles
//
// The server's gate also opens if its probe is slow, because a write that was not refused at once
// has probably reached the server. If the last slow probe was refused in the end, the next slow
// probe does not open the gate.
//
// The judge classifies each namespace as untried, healthy, in doubt or failing (see health). The
// window, which limits the writes in flight, grows by one per round while items wait for room in
// it, and is halved when the server is overloaded. A namespace is in at most one of these sets at a
// time (see ready):
//
//	writable ──more in flight than its share──▶ in none ──answer──▶ writable
//	writable ──bad answers──▶ delayed ──time──▶ failing ──probe──▶ in none ──good answer──▶ writable
//
// DESIGN.md describes the whole policy.
package writer
