// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build race

package eventsprom_test

// raceEnabled is true where the race detector allocates.
const raceEnabled = true
