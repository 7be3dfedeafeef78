// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lifecycle starts every goroutine of the SDK and waits for it. It has the only go
// statement in the code of the SDK, so each goroutine belongs to a [Group], and the owner of the
// Group waits for all of them. TestOneGoStatement in test/repository fails if there is another go
// statement.
package lifecycle
