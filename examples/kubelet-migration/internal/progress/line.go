// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package progress shows how far a long step is: a line that moves on a
// terminal, a few plain lines elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"
)

// clear goes back to the start of the line and erases it.
const clear = "\r\x1b[K"

// Line shows one step at a time. It is not safe for concurrent use.
type Line struct {
	out      io.Writer
	terminal bool
	quarter  int
}

// New returns a line on a file. It moves only if the file is a terminal.
func New(file *os.File) *Line {
	info, err := file.Stat()
	return &Line{out: file, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Say prints a line that stays.
func (l *Line) Say(format string, args ...any) {
	if l.terminal {
		fmt.Fprint(l.out, clear)
	}
	fmt.Fprintf(l.out, format+"\n", args...)
	l.quarter = 0
}

// Step shows how much of a step is done. Elsewhere than on a terminal it does so
// after each quarter, so that a log stays readable.
func (l *Line) Step(what string, done, total time.Duration) {
	text := fmt.Sprintf("%s: %v of %v", what, done.Round(time.Second), total)
	if l.terminal {
		fmt.Fprint(l.out, clear, text)
		return
	}
	if quarter := int(4 * done / max(total, 1)); quarter > l.quarter {
		l.quarter = quarter
		fmt.Fprintln(l.out, text)
	}
}
