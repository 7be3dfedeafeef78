// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

type EventsV1Interface interface {
	Events(namespace string)
}
