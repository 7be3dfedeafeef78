// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/machine"
)

// plan is what is still to be measured, and what is kept of it.
type plan struct {
	parts []part
	last  []*record // of an earlier run perhaps, nil for none
	fresh []bool    // last is of this run
}

// makePlan looks for what an interrupted run has left. Nothing of it is used if again is set.
func makePlan(all []part, dir string, here *circumstances, again bool) (*plan, error) {
	p := &plan{parts: all, last: make([]*record, len(all)), fresh: make([]bool, len(all))}
	for i := range all {
		kept, err := load(&all[i], dir)
		if err != nil {
			return nil, err
		}
		p.last[i] = kept
		p.fresh[i] = !again && kept != nil && kept.sameRun(here)
	}
	return p, nil
}

// guess is what a section takes that was never measured.
const guess = time.Minute

// takes is how long a part will take, by the last run.
func (p *plan) takes(i int, rounds int) time.Duration {
	last := p.last[i]
	if last == nil || last.Took == 0 {
		return guess
	}
	return last.Took * time.Duration(rounds) / time.Duration(max(1, last.Rounds))
}

// left is how long all parts from i on will take.
func (p *plan) left(i, rounds int) (d time.Duration) {
	for ; i < len(p.parts); i++ {
		if !p.fresh[i] {
			d += p.takes(i, rounds)
		}
	}
	return d
}

// announce says what there is and what it will cost.
func (p *plan) announce(w io.Writer, rounds int) {
	kept := 0
	for i := range p.parts {
		state := "to measure, about " + minutes(p.takes(i, rounds))
		switch last := p.last[i]; {
		case p.fresh[i]:
			kept++
			state = fmt.Sprintf("kept, of %s, others used %s cores", last.Began.Format("Jan 2 15:04"), cores(last.Others))
		case last == nil || last.Took == 0:
			state = "to measure, for the first time"
		}
		fmt.Fprintf(w, "  %-40s %s\n", p.parts[i].title, state)
	}
	fmt.Fprintf(w, "%d sections: %d kept of this code on this machine, %d to measure in about %s\n",
		len(p.parts), kept, len(p.parts)-kept, minutes(p.left(0, rounds)))
}

// run measures what is missing, and keeps each section as soon as it has ended.
func (o *options) run(ctx context.Context, messages io.Writer) (*result, error) {
	here, err := newCircumstances(o.bench.rounds)
	if err != nil {
		return nil, err
	}
	p, err := makePlan(o.selected(), o.results, here, o.fresh || o.bench.partial())
	if err != nil {
		return nil, err
	}
	p.announce(messages, o.bench.rounds)
	r, show := &result{}, newProgress(messages)
	for i := range p.parts {
		part, kept := &p.parts[i], p.last[i]
		if !p.fresh[i] {
			show.begin(part.title, p.takes(i, o.bench.rounds), p.left(i+1, o.bench.rounds))
			if kept, err = o.measure(&o.bench, ctx, part, here, show.step); err != nil {
				return nil, fmt.Errorf("%s: %w; what was measured before is kept, run it again to go on", part.title, err)
			}
			show.end(kept)
			if !o.bench.partial() {
				if err := kept.save(part, o.results); err != nil {
					return nil, err
				}
			}
		}
		r.add(part, kept)
	}
	return r, nil
}

// cores is how many others used.
func cores(n float64) string {
	if n == machine.Unknown {
		return "unknown"
	}
	return fmt.Sprintf("%.1f", n)
}
