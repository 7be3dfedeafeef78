// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sample measures one contender in one scenario in a process of its
// own, and runs such processes in turn.
//
//	Rounds.Run ──▶ child process ──▶ Scenario ──▶ stretch ──▶ one line in Go's benchmark format
//	    ▲                                                                 │
//	    └─────────────────────────── Samples ◀────────────────────────────┘
//
// A process each, since goroutines that a peer leaves behind would be charged to
// the next one. In turn, since the speed of a machine drifts: what is compared was
// measured within the same minute. CPU is user and system time of the whole
// process, goroutines in the background and the garbage collector included, until
// nothing is left to do.
package sample
