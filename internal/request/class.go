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
	HeldCreate                // a Create that was held because it failed again
	HeldPatch                 // such a Patch
	Classes                   // how many there are
)

// First returns the class of a Create.
func First(warning bool) Class {
	if warning {
		return FirstWarning
	}
	return FirstNormal
}

// Op returns the operation.
func (c Class) Op() Op {
	switch c {
	case FirstWarning, FirstNormal, HeldCreate:
		return Create
	case Second, Count, HeldPatch:
		return Patch
	default:
		return Nothing
	}
}
