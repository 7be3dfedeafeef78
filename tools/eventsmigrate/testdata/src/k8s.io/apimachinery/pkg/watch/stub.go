// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package watch is a stub for the analyzers' tests.
package watch

type Event struct{}

type Interface interface {
	Stop()
	ResultChan() <-chan Event
}
