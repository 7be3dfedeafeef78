// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiclient writes Events to the API server with exactly one request for each call.
// client-go's clients retry by themselves, with up to 11 requests for one Create. Such retries
// would hide Retry-After from the SDK, and would turn a definite 429 into a timeout, after which
// nobody knows whether the write was applied.
//
// The requests are made with client-go's typed clients, on top of a REST client that modifies them;
// see [Once]. client-go's fakes have no REST client, so they are called unmodified.
package apiclient
