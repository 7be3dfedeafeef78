// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
)

// writesOf returns when requests of one kind were sent about a pod.
func (l *timeline) writesOf(op, pod string) (at []time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, line := range l.lines {
		if words := strings.Fields(line); words[1] == op && words[2] == pod {
			at = append(at, l.times[i])
		}
	}
	return at
}

// Events that the server keeps for less than the refresh interval expire once at most. From then on they are refreshed in time,
// those of other series as well. What occurs rarely is created again each time, and teaches nothing.
//
// Caught: an Event that expires between any two refreshes; the age of the last one that expired.
func TestShortTTL(t *testing.T) {
	for _, ttl := range []time.Duration{5 * time.Minute, 10 * time.Minute, 25 * time.Minute} {
		t.Run(ttl.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := newTimeline()
				sink.SetTTL(ttl)
				_, rec := start(t, sink, events.WithFinishInterval(time.Hour))
				for second := range 4 * 60 * 60 {
					if second%(45*60) == 0 {
						record(rec, 1, "cron")
					}
					switch {
					case second%10 > 0:
					case second < 2*60*60:
						record(rec, 1, "web")
					default:
						record(rec, 1, "db")
						record(rec, 1, "web")
					}
					time.Sleep(time.Second)
				}
				if web := sink.writesOf("create", "web"); len(web) > 2 {
					t.Errorf("web is created at %v, want once more at most, when it had expired", web)
				}
				if db := sink.writesOf("create", "db"); len(db) != 1 {
					t.Errorf("db is created at %v, want once", db)
				}
			})
		})
	}
}

// Who deletes an Event shortens the refresh interval until another Event has lived for longer, and no longer.
func TestDeletedEventIsNoShortTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		_, rec := start(t, sink)
		for second := range 2 * 60 * 60 {
			if second%10 == 0 {
				record(rec, 1, "web")
			}
			switch second {
			case 300:
				e := only(t, sink.Sink)
				sink.Expire(e.Namespace, e.Name)
			case 1000, 1001, 1301:
				record(rec, 1, "db")
			}
			time.Sleep(time.Second)
		}
		// The patch at 310 s met the deletion, 160 s after the one before.
		last := 310 * time.Second
		for _, at := range sink.writesOf("patch", "web") {
			gap := at - last
			switch {
			case at <= 310*time.Second:
				continue
			case at < 1301*time.Second && gap > 80*time.Second:
				t.Errorf("a gap of %v until %v", gap, at)
			case at > 1301*time.Second && gap < 20*time.Minute:
				t.Errorf("a gap of %v until %v, although db has lived for 300 s", gap, at)
			}
			last = at
		}
		if last < time.Hour {
			t.Errorf("the last patch is at %v", last)
		}
	})
}
