// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package differential holds the SDK against the code of the real API server:
// its conversions and validation, as a library, at the version in go.mod. It has
// tests only.
//
//	FuzzAccepted   what passes a Recorder passes the server, in every encoding
//	FuzzLegacy     what package legacy sends is refused for what the caller said only
//	FuzzCreate     internal/testkit/rules and the server agree about a new Event
//	FuzzUpdate     and about a change to one
package differential
