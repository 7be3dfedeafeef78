// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import corev1 "k8s.io/api/core/v1"

// change is one version of the storage: what a key held before and after, nil for nothing.
type change struct {
	version  int64
	old, now *corev1.Event
}

// historyLimit is how many changes are kept for watches that begin in the past.
const historyLimit = 1000

// history is the latest changes, the oldest first.
type history struct {
	changes   []change
	forgotten int64 // the version of the latest change that is not there any more
}

func (h *history) add(c change) {
	h.changes = append(h.changes, c)
	if len(h.changes) > historyLimit {
		h.forgotten, h.changes[0] = h.changes[0].version, change{} // lets go of its Events
		h.changes = h.changes[1:]
	}
}

// since returns the changes after version, and whether all of them are there.
func (h *history) since(version int64) (changes []change, complete bool) {
	for i, c := range h.changes {
		if c.version > version {
			return h.changes[i:], version >= h.forgotten
		}
	}
	return nil, version >= h.forgotten
}
