// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver is an API server in memory, for tests of what only shows on the wire.
//
//	client of Server.Config ──▶ RoundTrip ──▶ ServeHTTP ──▶ handlers of Server.Answer, if one matches
//	another process ──▶ httptest.Server ──────▶ ServeHTTP ──▶ eventstest.Clientset
//
// A [Server] serves an eventstest.Clientset over HTTP: Events through both API groups, Leases, discovery, access
// reviews and identity reviews, in JSON and protobuf. Watches are not served.
//
// Faults have two places. Clientset.Fail, Lose and Authorize decide about requests that the server understood. An error
// of a hook that is no Status breaks the connection. Server.Answer replaces the whole answer, for bodies that no API
// server would send.
//
// Every method is safe for concurrent use. RoundTrip runs in the caller's goroutine, without a socket, so a Server
// works in a testing/synctest bubble and needs no end.
package apiserver
