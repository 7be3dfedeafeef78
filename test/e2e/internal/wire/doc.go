// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wire is the network between a test's client and the API server: it
// remembers what was asked and answered, and can misbehave.
//
// It is an http.RoundTripper, so what is above it, client-go included, cannot tell
// its faults from a server's. Rules are tried in the order in which they were
// added; the first that matches and is not used up handles the request.
package wire
