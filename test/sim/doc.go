// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sim attacks the whole SDK with a faulty API server, hours of simulated
// time in a second, and holds its books against the server's after every step.
//
//	seed ──▶ Script ──▶ world: components ⇄ modelled API server ──▶ checks ──▶ Report
//	                           one driver answers one request at a time
//
// A [Script] follows from its seed alone. It is run in a testing/synctest bubble
// by a single driver: the modelled server holds every request until the driver,
// with everything else blocked, answers one of them. So a seed gives the same run
// again, and a failing script can be cut down to the steps that matter.
//
// What is checked is named as in DESIGN.md, I1 to I7; see check.go for what is
// held after every step and ledger.go for what is held at the end.
package sim
