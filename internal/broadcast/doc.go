// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcast has what a broadcaster needs whichever API it writes to.
//
//	Life      starts once, ends once, and ends by itself some time after its context
//	Watchers  hand every occurrence to callers that want to see each one
//	Log       logs a fault that lasts once per interval, and panics of caller code
//
// A broadcaster has one of each. Recording goes through Watchers and Log, which
// take no lock that is held for long; Start, Drain and Shutdown go through Life.
package broadcast
