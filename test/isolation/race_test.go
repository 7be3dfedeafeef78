// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build race

package isolation

// raceEnabled tells whether all takes ten times as long.
const raceEnabled = true
