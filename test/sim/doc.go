// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package sim tests the whole SDK against a faulty API server in simulated time. A second of real
// time is enough for hours. After every step it compares the counts of the SDK with the counts of
// the server.
//
//	seed ──▶ Script ──▶ world: components ⇄ modelled API server ──▶ checks ──▶ Report
//	                           one driver answers one request at a time
//
// A [Script] is made from a seed, and the same seed makes the same script. One driver goroutine
// runs the script in a testing/synctest bubble. The modelled server holds every request. The driver
// waits until all other goroutines are blocked, and then lets the server answer one request. So the
// same script always runs in the same way, and a script that fails can be shortened to the steps
// that make it fail.
//
// The invariants have the names that they have in docs/reliability.md, I1 to I7. The checks after
// every step are in check.go, and the checks at the end are in stored.go.
package sim
