// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package differential compares the SDK with the code of the real API server. It calls the
// conversions and the validation of the server as a library, in the version in go.mod. It has tests
// only.
//
//	FuzzAccepted   the server accepts every Event that a Recorder makes, in every encoding
//	FuzzLegacy     the server refuses an Event of package legacy only because of an argument of the caller
//	FuzzCreate     internal/testkit/rules accepts the same new Events as the server
//	FuzzUpdate     internal/testkit/rules accepts the same changes of Events as the server
package differential
