// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

// Class is what an item needs next, and with that, how urgent it is. When a client may
// send less than there is to say, that something happens at all is worth more than how
// often it did.
type Class uint8

// The classes, the most urgent first.
const (
	NoWrite      Class = iota // the item needs nothing
	FirstWarning              // the Create of a Warning
	FirstNormal               // any other Create
	Second                    // the Patch that makes an Event a series
	Count                     // any other Patch
	FailedCreate              // a Create that was tried, and closed the gate of its namespace
	FailedPatch               // such a Patch
	Classes                   // how many there are
)

// First returns the class of a Create.
func First(warning bool) Class {
	if warning {
		return FirstWarning
	}
	return FirstNormal
}

// Failed returns the class of a write that must be tried again.
func (c Class) Failed() Class {
	switch c.Op() {
	case Create:
		return FailedCreate
	case Patch:
		return FailedPatch
	default:
		return NoWrite
	}
}

// HasFailed reports whether it is a class of writes that were tried.
func (c Class) HasFailed() bool { return c == FailedCreate || c == FailedPatch }

// Op returns the operation.
func (c Class) Op() Op {
	switch c {
	case FirstWarning, FirstNormal, FailedCreate:
		return Create
	case Second, Count, FailedPatch:
		return Patch
	default:
		return Nothing
	}
}
