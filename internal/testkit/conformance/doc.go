// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conformance has the rules that an events.Sink is held to, each as a function that can be tried on one.
//
//	Rule.Check ──▶ trial ──▶ Create, Patch ──▶ answer ──▶ what a broadcaster would do of it
//
// What an error means is asked of the broadcaster's own table of verdicts, so the rules cannot drift from what they
// protect. A rule looks at what a sink stores through its answers only: a sink that tells nothing is held to less.
//
// Calls are made in goroutines of their own, so that one that does not return fails its rule and not the whole test
// binary. No other goroutine is left behind.
package conformance
