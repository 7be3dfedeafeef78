// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress says how far a run is: on a terminal in one line that changes, elsewhere
// in plain lines, one every few seconds.
type progress struct {
	out      io.Writer
	terminal bool
	now      func() time.Time

	title         string
	takes, after  time.Duration // of this section and of all later ones
	began, spoken time.Time
}

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, now: time.Now}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// begin starts a section that may take so long, with so much to do after it.
func (p *progress) begin(title string, takes, after time.Duration) {
	p.title, p.takes, p.after, p.began, p.spoken = title, takes, after, p.now(), time.Time{}
}

// often is how often a plain line is written.
const often = 15 * time.Second

// step says what begins now.
func (p *progress) step(done, of int, what string) {
	now := p.now()
	if !p.terminal && now.Sub(p.spoken) < often {
		return
	}
	p.spoken = now
	line := fmt.Sprintf("%s, %d of %d, %s left: %s", p.title, done+1, of, minutes(p.left(done, of)), what)
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(p.out, line)
}

// left is the estimate for everything: by what is done of this section, if that is something.
func (p *progress) left(done, of int) time.Duration {
	elapsed := p.now().Sub(p.began)
	if done == 0 {
		return max(0, p.takes-elapsed) + p.after
	}
	return elapsed*time.Duration(of-done)/time.Duration(done) + p.after
}

// end says how a section was measured.
func (p *progress) end(r *record) {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	fmt.Fprintf(p.out, "%s: took %s, others used %s cores; %s left\n",
		p.title, minutes(r.Took), cores(r.Others), minutes(p.after))
}

// minutes is a duration as people say it.
func minutes(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	}
	return fmt.Sprintf("%.1f min", d.Minutes())
}
