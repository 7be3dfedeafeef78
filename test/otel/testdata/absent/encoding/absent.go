// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package encoding stands for a module that nothing in the collector of this module
// imports, so that go mod tidy does not download it.
package encoding
