// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wait is a stub for the analyzers' tests.
package wait

var NeverStop <-chan struct{} = make(chan struct{})
