// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
)

// faulty is a broadcaster that breaks a promise.
type faulty struct {
	broadcaster
	stats func(*events.Stats)
	count func(*events.Counts)
	flush func(context.Context) error
	drain func(context.Context) error
}

func (f *faulty) Stats() events.Stats {
	s := f.broadcaster.Stats()
	if f.stats != nil {
		f.stats(&s)
	}
	return s
}

func (f *faulty) change(all []events.Counts) []events.Counts {
	for i := range all {
		if f.count != nil {
			f.count(&all[i])
		}
	}
	return all
}

func (f *faulty) Flush(ctx context.Context) error {
	if f.flush != nil {
		return f.flush(ctx)
	}
	return f.broadcaster.Flush(ctx)
}

func (f *faulty) Drain(ctx context.Context) error {
	if f.drain != nil {
		_ = f.broadcaster.Drain(ctx)
		return f.drain(ctx)
	}
	return f.broadcaster.Drain(ctx)
}

// Each check finds the fault that it is there for.
func TestChecksCanFail(t *testing.T) {
	tests := []struct {
		name  string
		fault faulty
		want  string
	}{
		{"observed", faulty{stats: func(s *events.Stats) { s.Observed++ }}, "I1: c0-0 observed 1 and accounts for 0"},
		{"folded", faulty{stats: func(s *events.Stats) { s.Folded++ }}, "limit: c0-0 has folded 1"},
		{"folded by labels", faulty{count: func(c *events.Counts) { c.Folded++ }}, "I1: the counts of c0-0"},
		{"pending", faulty{stats: func(s *events.Stats) { s.Pending--; s.Recorded++ }}, "I1: "},
		{"missed", faulty{stats: func(s *events.Stats) { s.Observed++; s.Pending++ }}, "I1: c0-0 observed 1 of 0"},
		{"recorded", faulty{stats: func(s *events.Stats) { s.Recorded, s.Pending = s.Recorded+s.Pending, 0 }}, "I4: "},
		{"series", faulty{stats: func(s *events.Stats) { s.Series += 4 }}, "I5: "},
		{"handler", faulty{stats: func(s *events.Stats) {
			s.Dropped[events.CacheFull] += s.Pending
			s.Pending = 0
		}}, "dropped 1 as CacheFull, its handler was told of 0"},
		{"total", faulty{stats: func(s *events.Stats) { s.Creates -= time.Now().UnixNano() % 1000 }}, "Creates of c0-0 went from"},
		{"one account", faulty{count: func(c *events.Counts) { c.Recorded++ }}, "I1: c0-0 observed 1 of {"},
		{"all accounts", faulty{count: func(c *events.Counts) { c.Observed++; c.Recorded++ }}, "I1: the counts of c0-0 add up to"},
		{"since when", faulty{stats: func(s *events.Stats) { s.OldestPending = time.Time{} }}, "c0-0 has 1 pending since"},
		{"flush forgets", faulty{flush: func(context.Context) error { return nil }}, "Flush of c0-0 returned with 0 of 1"},
		{"flush is late", faulty{flush: func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Minute)
			return ctx.Err()
		}}, "flush of c0-0 has not returned"},
		{"flush is impatient", faulty{flush: func(context.Context) error { return context.DeadlineExceeded }}, "Flush of c0-0 after 0s"},
		{"drain is silent", faulty{drain: func(context.Context) error { return nil }}, "Drain of c0-0 gave up"},
		{"drain miscounts", faulty{drain: func(context.Context) error {
			return &events.AbandonedError{Occurrences: 100}
		}}, "Drain of c0-0 gave up"},
	}
	steps := map[string]Step{}
	for i, a := range acts {
		steps[a.name] = Step{Act: i, Args: make([]int, len(a.args))}
	}
	one, unansweredStep := steps["emit"], steps["faults"]
	one.Args[2] = 1
	unansweredStep.Args = []int{int(unanswered), 0, 0, 0, 100, 0, 0, 0, 0}
	flush := steps["flush"]
	flush.Args[1] = 100
	script := Script{
		Config: Config{TTL: time.Hour, Components: []ComponentConfig{{Shape: viaSeries, MaxSeries: 3, InFlight: 1, Early: true}}},
		Steps:  []Step{unansweredStep, one, flush, one, steps["drain"]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(&script, &trace{})
				tt.fault.broadcaster = w.slots[0].base
				accounts := w.slots[0].accounts
				w.slots[0].accounts = func() []events.Counts { return tt.fault.change(accounts()) }
				w.slots[0].base = &tt.fault
				w.run()
				if got := strings.Join(w.violations, "\n"); !strings.Contains(got, tt.want) {
					t.Errorf("violations:\n%s\nwant %q", got, tt.want)
				}
			})
		})
	}
}
