// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conformance defines the rules that an events.Sink must follow. Each rule has a function
// that checks it on one sink.
//
//	Rule.Check ──▶ trial ──▶ Create, Patch ──▶ answer ──▶ what a broadcaster would do after it
//
// The rules classify the errors of a sink with the same function as a broadcaster, so both agree
// about every error. A rule sees stored Events only in the answers of the sink, so fewer checks are
// made if the answers contain no Event.
//
// The context of each call ends when the call returns, so a sink that keeps using the context
// fails.
package conformance
