// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package contender sets up everyone who takes part in a measurement, as its
// users would and at its best, behind the one signature that they all serve:
// the Eventf of client-go's tools/events.
//
// A [Contender] is made for one sample in a process of its own. What client-go
// has to say about lost events goes to a logger that discards it: the peers are
// not charged for what would be printed.
package contender
