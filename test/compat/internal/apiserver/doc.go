// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver is an API server in memory for clients that want a rest.Config: the test kit's clientset, which
// holds to the server's rules for Events, behind an http.RoundTripper. It has no socket and no goroutine.
package apiserver
