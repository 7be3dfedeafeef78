// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventconv converts Events between core/v1 and events.k8s.io/v1. Both are
// views of one stored object.
package eventconv
