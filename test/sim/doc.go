// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sim tests the whole SDK against a faulty API server, hours of simulated time in a second. After every step it
// compares the counts of the SDK with those of the server.
//
//	seed ──▶ Script ──▶ world: components ⇄ modelled API server ──▶ checks ──▶ Report
//	                           one driver answers one request at a time
//
// A [Script] depends on its seed alone. A single driver runs it in a testing/synctest bubble. The modelled server holds
// every request until the driver, with all other goroutines blocked, answers one of them. So a seed gives the same run
// again, and a failing script can be shortened to the steps that matter.
//
// The invariants are named as in docs/reliability.md, I1 to I7. check.go has what is checked after every step, and
// stored.go what is checked at the end.
package sim
