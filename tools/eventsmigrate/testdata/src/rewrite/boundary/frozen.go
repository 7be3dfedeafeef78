// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package boundary

import "k8s.io/client-go/tools/record"

// Frozen is in a file whose edits were withdrawn.
type Frozen struct{ Recorder record.EventRecorder }

func (f *Frozen) use(c *component) {
	f.Recorder.Event(nil, "Normal", "Old", "not rewritten")
	c.recorder = f.Recorder       // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	f.Recorder = c.recorder       // want "f\\.Recorder stays with the old API and gets legacy\\.AsLegacy"
	f.Recorder = take(f.Recorder) // want "f\\.Recorder stays with the old API and gets legacy\\.AsLegacy" "this recorder comes from the old API and gets legacy\\.FromLegacy"
}
