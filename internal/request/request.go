// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

// Op is what a request does.
type Op uint8

// The operations.
const (
	Nothing Op = iota
	Create
	Patch
)

// Request is what [Classify] has to know of a request. The zero value stands
// for any request.
type Request struct {
	Op Op
	// Unconditional says that a Patch has no resourceVersion.
	Unconditional bool
	// ReadVersion says that a Patch is empty: it changes nothing, and its answer
	// tells the resourceVersion that the next one needs.
	ReadVersion bool
	// AfterConflict says that the Patch before this one met a conflict.
	AfterConflict bool
	// Recreates says that a Create replaces an Event that expired and was not sent
	// before. An Event of that name is then not an earlier attempt.
	Recreates bool
}
