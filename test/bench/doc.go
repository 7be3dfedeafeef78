// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Bench measures what recording an Event costs, beside client-go and a floor.
package main
