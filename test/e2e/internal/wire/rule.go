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

// Rule applies a fault to requests.
type Rule struct {
	match Match
	fault Fault
}

// Always returns a rule for all that match.
func Always(match Match, fault Fault) *Rule { return &Rule{match, fault} }
