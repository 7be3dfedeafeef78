// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"hash/fnv"
	"io"
)

// trace is everything a run did, line by line: as a hash, which two runs of a
// seed share, and as text for whoever has to understand it.
type trace struct {
	hash uint64
	text io.Writer // nil: nobody reads it
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
