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

// liar is a broadcaster that breaks a promise.
type liar struct {
	broadcaster
	stats func(*events.Stats)
	flush func(context.Context) error
	drain func(context.Context) error
}

func (l *liar) Stats() events.Stats {
	s := l.broadcaster.Stats()
	if l.stats != nil {
		l.stats(&s)
	}
	return s
}

func (l *liar) Flush(ctx context.Context) error {
	if l.flush != nil {
		return l.flush(ctx)
	}
	return l.broadcaster.Flush(ctx)
}

func (l *liar) Drain(ctx context.Context) error {
	if l.drain != nil {
		_ = l.broadcaster.Drain(ctx)
		return l.drain(ctx)
	}
	return l.broadcaster.Drain(ctx)
}

// Each check finds the lie that it is there for.
func TestChecksCanFail(t *testing.T) {
	tests := []struct {
		name string
		lie  liar
		want string
	}{
		{"observed", liar{stats: func(s *events.Stats) { s.Observed++ }}, "I1: c0-0 observed 1 and accounts for 0"},
		{"pending", liar{stats: func(s *events.Stats) { s.Pending--; s.Recorded++ }}, "I1: "},
		{"missed", liar{stats: func(s *events.Stats) { s.Observed++; s.Pending++ }}, "I1: c0-0 observed 1 of 0"},
		{"recorded", liar{stats: func(s *events.Stats) { s.Recorded, s.Pending = s.Recorded+s.Pending, 0 }}, "I4: "},
		{"series", liar{stats: func(s *events.Stats) { s.Series += 4 }}, "I5: "},
		{"handler", liar{stats: func(s *events.Stats) {
			s.Dropped[events.CacheFull] += s.Pending
			s.Pending = 0
		}}, "dropped 1 as CacheFull, its handler was told of 0"},
		{"total", liar{stats: func(s *events.Stats) { s.Creates -= time.Now().UnixNano() % 1000 }}, "Creates of c0-0 went from"},
		{"flush forgets", liar{flush: func(context.Context) error { return nil }}, "Flush of c0-0 returned with 0 of 1"},
		{"flush is late", liar{flush: func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Minute)
			return ctx.Err()
		}}, "flush of c0-0 has not returned"},
		{"flush is impatient", liar{flush: func(context.Context) error { return context.DeadlineExceeded }}, "Flush of c0-0 after 0s"},
		{"drain is silent", liar{drain: func(context.Context) error { return nil }}, "Drain of c0-0 gave up"},
		{"drain miscounts", liar{drain: func(context.Context) error {
			return &events.AbandonedError{Occurrences: 100}
		}}, "Drain of c0-0 gave up"},
	}
	steps := map[string]Step{}
	for i, a := range acts {
		steps[a.name] = Step{Act: i, Args: make([]int, len(a.args))}
	}
	one, becalm := steps["emit"], steps["weather"]
	one.Args[2] = 1
	becalm.Args = []int{int(calm), 0, 0, 0, 100, 0, 0, 0, 0}
	flush := steps["flush"]
	flush.Args[1] = 100
	script := Script{
		Config: Config{TTL: time.Hour, Components: []ComponentConfig{{Shape: viaSeries, MaxSeries: 3, Workers: 1, Early: true}}},
		Steps:  []Step{becalm, one, flush, one, steps["drain"]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(&script, &trace{})
				tt.lie.broadcaster = w.slots[0].base
				w.slots[0].base = &tt.lie
				w.run()
				if got := strings.Join(w.violations, "\n"); !strings.Contains(got, tt.want) {
					t.Errorf("violations:\n%s\nwant %q", got, tt.want)
				}
			})
		})
	}
}
