// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiclient talks to the API server with exactly one request per call.
// client-go's own retries, up to 11 requests for one Create, would hide
// Retry-After and turn a definite 429 into a timeout with an unknown outcome.
package apiclient
