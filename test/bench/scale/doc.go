// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Scale simulates what recording Events costs a cluster of 5,000 nodes with 110 pods each: on a normal day, and on a
// bad one, when an image registry is down and a zone is lost.
//
//	load (what there is to say) ──▶ a contender in each component ──▶ world (an API server in memory)
//	       └── day, memory, idle: each in a process of its own ──▶ page: tables, charts, the arithmetic beyond
//
// It writes docs/scale.md and its charts. Each job is kept in scale/results as it ends, and a run goes on where it was
// interrupted. Flags: -page, -fresh, -nodes, -pods, -hours, -seed, -contender.
package main
