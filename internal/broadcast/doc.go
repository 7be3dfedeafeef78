// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package broadcast implements the parts of a broadcaster that do not depend on what it writes.
//
//	Life      starts the broadcaster once and ends it once, at the latest some time after its context
//	Watchers  call the functions that want every occurrence, each in a goroutine of its own
//	Handlers  call the functions that want every request, in the goroutine that made it
//	Log       logs a fault that lasts once per interval, and panics of the caller's code
//
// Recording goes through Watchers and Log, which hold their locks only for moments. Start, Drain
// and Shutdown go through Life.
package broadcast
