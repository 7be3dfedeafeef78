// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"hash/fnv"
	"io"
)

// trace is everything that a run did, line by line. The hash is equal for two runs of a seed. The text is for people.
type trace struct {
	hash uint64
	text io.Writer // nil if only the hash is needed
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
