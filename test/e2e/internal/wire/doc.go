// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wire is the network between a test's client and the API server. It
// records requests and answers, and can inject faults.
//
// It is an http.RoundTripper, so client-go cannot distinguish its faults from those
// of a server. Rules are tried in the order in which they were added. The first one
// that matches handles the request.
package wire
