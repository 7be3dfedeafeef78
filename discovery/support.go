// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import "strconv"

// Support says whether the API server serves events.k8s.io/v1. The zero value is
// Unknown, so that what was never asked cannot be mistaken for an answer.
type Support int

const (
	// Unknown means that the question was not answered; it is not a no.
	Unknown Support = iota
	// Served means that the server lists events in events.k8s.io/v1.
	Served
	// NotServed means that the server said it has no events.k8s.io/v1.
	NotServed
)

// String returns the answer in words, as in "not served".
func (s Support) String() string {
	switch s {
	case Unknown:
		return "unknown"
	case Served:
		return "served"
	case NotServed:
		return "not served"
	default:
		return "Support(" + strconv.Itoa(int(s)) + ")"
	}
}
