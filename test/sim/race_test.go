// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build race

package sim_test

const raceEnabled = true
