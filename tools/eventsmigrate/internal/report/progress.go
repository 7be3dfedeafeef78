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

// Progress shows how far the run is, in a line every ten seconds, so that a log of a short run has none.
type Progress struct {
	stop    chan struct{}
	stopped sync.WaitGroup

	mu   sync.Mutex
	text string // guarded by mu
}

// NewProgress shows progress if w is a file. Done must be called in the end.
func NewProgress(w io.Writer) *Progress {
	if _, ok := w.(*os.File); !ok {
		w = io.Discard
	}
	return newProgress(w)
}

func newProgress(w io.Writer) *Progress {
	p := &Progress{stop: make(chan struct{})}
	p.stopped.Go(func() {
		begun := time.Now()
		ticker := time.NewTicker(10 * time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-p.stop:
				return
			case now := <-ticker.C:
				p.mu.Lock()
				fmt.Fprintf(w, "eventsmigrate: %s, %v\n", p.text, now.Sub(begun).Truncate(time.Second)) // an error here must not end the run
				p.mu.Unlock()
			}
		}
	})
	return p
}

// Show changes what is shown. It may be called from several goroutines.
func (p *Progress) Show(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = fmt.Sprintf(format, args...)
}

// Done ends the progress.
func (p *Progress) Done() {
	close(p.stop)
	p.stopped.Wait()
}
