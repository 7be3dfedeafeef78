// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiclient sends exactly one request to the API server per call. client-go
// retries by itself, with up to 11 requests for one Create. That would hide
// Retry-After, and turn a definite 429 into a timeout with an unknown outcome.
//
// The requests are made by client-go's typed clients, over a REST client that changes them
// ([Once]). Fakes, which have no REST client, are called as they are.
package apiclient
