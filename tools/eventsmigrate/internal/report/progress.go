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

// Progress shows how far the run is: on a terminal in one line, which is replaced, and elsewhere in a line every ten
// seconds, so that a log of a short run has none.
type Progress struct {
	w        io.Writer
	terminal bool
	begun    time.Time
	stop     chan struct{}
	stopped  sync.WaitGroup

	mu   sync.Mutex
	text string // guarded by mu
}

// NewProgress shows progress if w is a file. Done must be called in the end.
func NewProgress(w io.Writer) *Progress {
	file, ok := w.(*os.File)
	if !ok {
		return newProgress(io.Discard, false)
	}
	info, err := file.Stat()
	return newProgress(file, err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb")
}

func newProgress(w io.Writer, terminal bool) *Progress {
	p := &Progress{w: w, terminal: terminal, begun: time.Now(), stop: make(chan struct{})}
	interval := 10 * time.Second
	if terminal {
		interval = 100 * time.Millisecond
	}
	p.stopped.Go(func() { p.run(interval) })
	return p
}

// Show changes what is shown. It may be called from several goroutines.
func (p *Progress) Show(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = fmt.Sprintf(format, args...)
}

// Done ends the progress, and clears the line.
func (p *Progress) Done() {
	close(p.stop)
	p.stopped.Wait()
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func (p *Progress) run(interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.print()
		}
	}
}

func (p *Progress) print() {
	p.mu.Lock()
	text := p.text
	p.mu.Unlock()
	format := "eventsmigrate: %s, %v\n"
	if p.terminal {
		format = "\r\x1b[K%s, %v"
	}
	fmt.Fprintf(p.w, format, text, time.Since(p.begun).Truncate(time.Second)) // an error here must not end the run
}
