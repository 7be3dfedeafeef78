// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

// Counts counts requests that reached the server, whatever the answer was.
type Counts struct {
	// Creates, Patches and Updates are requests, not occurrences: a thousand repeats are a few Patches. The SDK never
	// sends Updates.
	Creates, Patches, Updates int64
}

// add counts a request by its verb; other verbs are not writes of an Event.
func (c *Counts) add(verb string) {
	switch verb {
	case "create":
		c.Creates++
	case "patch":
		c.Patches++
	case "update":
		c.Updates++
	}
}
