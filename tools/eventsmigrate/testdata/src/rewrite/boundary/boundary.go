// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package boundary crosses the border to code that stays old.
package boundary

func unfreeze(f *Frozen, c *component) {
	f.Recorder = c.recorder // want "f\\.Recorder stays with the old API and gets legacy\\.AsLegacy"
	take(f.Recorder)        // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	f.Recorder.Event(nil, "Normal", "Old", "the field is old")
}
