// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package names compares what client-go's event packages export with what takes their place in the SDK, by type.
package names
