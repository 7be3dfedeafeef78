// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Progress shows in one line of a terminal how far the run is. Without a terminal it shows nothing.
type Progress struct {
	mu    sync.Mutex
	file  *os.File // nil without a terminal
	shown time.Time
}

// NewProgress shows progress if w is a terminal.
func NewProgress(w io.Writer) *Progress {
	file, ok := w.(*os.File)
	if !ok {
		return &Progress{}
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return &Progress{}
	}
	return &Progress{file: file}
}

// Show replaces the line, at most ten times a second. It may be called from several goroutines.
func (p *Progress) Show(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil || time.Since(p.shown) < 100*time.Millisecond {
		return
	}
	p.shown = time.Now()
	fmt.Fprintf(p.file, "\r\x1b[K%s", fmt.Sprintf(format, args...)) // an error here must not end the run
}

// Done clears the line.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		fmt.Fprint(p.file, "\r\x1b[K")
	}
}
