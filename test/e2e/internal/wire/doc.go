// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wire has an http.RoundTripper that stands for the network between a test's client and the
// API server. It records requests and answers, and can inject faults. client-go cannot distinguish
// these faults from faults of a server or of a real network.
//
// A fault is a rule. Rules are tried in the order in which they were added. The first rule that
// matches a request handles it.
package wire
