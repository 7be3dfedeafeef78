// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import "net/http"

// Match reports whether a rule applies to a request.
type Match func(*http.Request) bool

// Creates matches the creation of an Event through any API.
func Creates(req *http.Request) bool { return exchange(req).IsCreate() }

// Writes matches the creation and the patch of an Event through any API.
func Writes(req *http.Request) bool { return exchange(req).IsCreate() || exchange(req).IsPatch() }

// Discovery matches requests that ask whether events.k8s.io/v1 is served.
func Discovery(req *http.Request) bool { return exchange(req).IsDiscovery() }

// Group matches every request to events.k8s.io/v1, discovery included.
func Group(req *http.Request) bool { return exchange(req).Through(EventsV1) }

// Rule applies a fault to requests.
type Rule struct {
	match Match
	times int // that are left; a negative number never ends
	fault Fault
}

// Times returns a rule for the next n requests that match.
func Times(n int, match Match, fault Fault) *Rule { return &Rule{match: match, times: n, fault: fault} }

// Always returns a rule for all that match.
func Always(match Match, fault Fault) *Rule { return Times(-1, match, fault) }

// take reports whether the rule applies to req, and counts it.
func (r *Rule) take(req *http.Request) bool {
	if r.times == 0 || !r.match(req) {
		return false
	}
	r.times--
	return true
}
