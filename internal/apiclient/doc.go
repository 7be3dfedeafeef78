// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiclient sends exactly one request to the API server per call. client-go
// retries by itself, with up to 11 requests for one Create. That would hide
// Retry-After, and turn a definite 429 into a timeout with an unknown outcome.
package apiclient
