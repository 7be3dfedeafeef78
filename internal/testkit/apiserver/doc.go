// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver provides an in-memory API server, for tests of behaviour that depends on HTTP.
//
//	client of Server.Config ──▶ RoundTrip ──▶ ServeHTTP ──▶ handlers of Server.Answer, if one matches
//	another process ──▶ httptest.Server ──────▶ ServeHTTP ──▶ eventstest.Clientset
//
// A [Server] serves an eventstest.Clientset over HTTP, in JSON and protobuf: Events through both
// API groups, Leases, discovery, access reviews and identity reviews. It serves no watches.
//
// There are two ways to inject faults. Clientset.Fail, Lose and Authorize change the answer to
// requests that the server has understood; if such a hook returns an error that is not a Status,
// the connection is broken off. Server.Answer replaces the whole answer, if necessary with one that
// no API server would give.
//
// A [Cluster] is a Server behind a network that can hang, refuse connections, and delay and count
// discovery requests.
//
// Every method is safe for concurrent use. RoundTrip calls the handlers in the caller's goroutine,
// without a socket, so a Server works in a testing/synctest bubble and need not be closed.
package apiserver
