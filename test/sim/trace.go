// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"hash/fnv"
	"io"
)

// trace has a line for everything that a run does. Two runs of a seed have the same hash. The text
// is for people.
type trace struct {
	hash uint64
	// text is nil if only the hash is needed.
	text io.Writer
}

func (t *trace) note(format string, args ...any) {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%x ", t.hash)
	_, _ = fmt.Fprintf(h, format, args...)
	t.hash = h.Sum64()
	if t.text != nil {
		fmt.Fprintf(t.text, format+"\n", args...)
	}
}
