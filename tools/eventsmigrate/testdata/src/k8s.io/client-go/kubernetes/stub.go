// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubernetes is a stub for the analyzers' tests.
package kubernetes

type Interface interface {
}

type Clientset struct{}
