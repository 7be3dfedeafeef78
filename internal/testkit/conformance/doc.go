// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conformance has the rules that an events.Sink must keep. Each rule has a function that
// checks it on one sink.
//
//	Rule.Check ──▶ trial ──▶ Create, Patch ──▶ answer ──▶ what a broadcaster would do after it
//
// The rules classify the errors of a sink by the same table as a broadcaster does, so both agree
// about every error. A rule sees the stored Events only in the answers of the sink. Therefore fewer
// checks are made of a sink whose answers have no Event.
//
// The context of each call ends when the call returns, so a sink that goes on using the context
// fails.
package conformance
