// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package boundary

import "k8s.io/client-go/tools/record"

// Frozen is in a file whose edits were withdrawn.
type Frozen struct{ Recorder record.EventRecorder }

func (f *Frozen) use(c *component) {
	f.Recorder.Event(nil, "Normal", "Old", "not rewritten")
	c.recorder = f.Recorder
	f.Recorder = c.recorder
	f.Recorder = take(f.Recorder)
}
