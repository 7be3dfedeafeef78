// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"net/http"
	"strings"
)

// The two APIs for Events, as prefixes of a path.
const (
	EventsV1 = "/apis/events.k8s.io/v1"
	CoreV1   = "/api/v1"
)

// Match tells which requests a rule is for.
type Match func(*http.Request) bool

// Creates matches the creation of an Event through any API.
func Creates(req *http.Request) bool {
	return req.Method == http.MethodPost && strings.HasSuffix(req.URL.Path, "/events")
}

// Patches matches the patch of an Event through any API.
func Patches(req *http.Request) bool {
	return req.Method == http.MethodPatch && strings.Contains(req.URL.Path, "/events/")
}

// Writes matches both.
func Writes(req *http.Request) bool { return Creates(req) || Patches(req) }

// Discovery matches the question whether events.k8s.io/v1 is served.
func Discovery(req *http.Request) bool { return req.Method == http.MethodGet && req.URL.Path == EventsV1 }

// Group matches every request to events.k8s.io/v1, discovery included.
func Group(req *http.Request) bool { return strings.HasPrefix(req.URL.Path, EventsV1) }

// Rule applies a fault to requests.
type Rule struct {
	match Match
	times int // that are left; negative: without end
	fault Fault
}

// Times returns a rule for the next n requests that match.
func Times(n int, match Match, fault Fault) *Rule { return &Rule{match: match, times: n, fault: fault} }

// Always returns a rule for all that match.
func Always(match Match, fault Fault) *Rule { return Times(-1, match, fault) }

// take tells whether the rule is for req, and counts it.
func (r *Rule) take(req *http.Request) bool {
	if r.times == 0 || !r.match(req) {
		return false
	}
	r.times--
	return true
}
