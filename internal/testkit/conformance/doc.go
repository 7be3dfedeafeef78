// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conformance has the rules of an events.Sink, each as a function that checks one sink.
//
//	Rule.Check ──▶ trial ──▶ Create, Patch ──▶ answer ──▶ what a broadcaster would do of it
//
// Errors are classified by the broadcaster's own table, so the rules agree with it. The rules read what a sink stores
// through its answers only. A sink whose answers have no event is checked less.
//
// The context of a call ends when the call returns, so a sink that goes on using it fails.
package conformance
