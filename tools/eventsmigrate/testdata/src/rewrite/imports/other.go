// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

type holder struct{ inner *inside }

func other(h *holder) { h.inner.recorder.Event(nil, "Normal", "NoImport", "needs none") }

func annotated(h *holder) {
	h.inner.recorder.AnnotatedEventf(nil, nil, "Normal", "Import", "needs one")
}
