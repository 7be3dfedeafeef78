// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// What has to be repaired counts in the series of the repaired texts, each time.
//
// Caught: a slot for it, which its own series leaves; the overflow Event; the policy of the texts as they were passed.
func TestRepeatsThatAreRepaired(t *testing.T) {
	for name, row := range map[string]struct {
		options        []events.Option
		notes          [2]string
		series, folded int64
	}{
		"in a full cache": {options: []events.Option{events.WithMaxSeries(1)}, notes: [2]string{"a", "b"}, series: 1},
		"beyond a limit":  {options: []events.Option{events.WithObjectLimit(1)}, notes: [2]string{"a", "b"}, series: 2, folded: 1},
		"of a note's reason": {
			options: []events.Option{events.WithNotesFor(long(128), events.NotesDistinct(2))},
			notes:   [2]string{"a", "b"}, series: 2,
		},
		"of one note": {
			options: []events.Option{events.WithNotesFor(long(128), events.NotesDistinct(2))},
			notes:   [2]string{"a", "a"}, series: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, rec := start(t, sink, row.options...)
				for i, note := range row.notes {
					rec.Eventf(newPod("web"), nil, "Normal", long(129+i), "Kill", note)
					flush(t, b)
					if row.folded > 0 && i == 0 {
						rec.Eventf(newPod("web"), nil, "Normal", "Other", "Kill", note)
						flush(t, b)
					}
					time.Sleep(2 * time.Minute) // it may be evicted
				}
				s := b.Stats()
				checkConserved(t, s)
				if int64(s.Series) != row.series || s.Evicted != 0 || s.Folded != row.folded ||
					s.Repaired[events.RepairLength] != 2 {
					t.Errorf("%d series, %d evicted, %d folded, %d repaired; want %d, 0, %d, 2",
						s.Series, s.Evicted, s.Folded, s.Repaired[events.RepairLength], row.series, row.folded)
				}
			})
		})
	}
}

// What gets no series is counted under valid texts, or as Invalid, like what gets one.
//
// Caught: a drop that is decided and counted by the texts as they were passed.
func TestDropsAreChecked(t *testing.T) {
	for name, row := range map[string]struct {
		prepare func(t *testing.T, b *events.Broadcaster)
		reason  events.DropReason
		invalid events.DropReason // what it is that cannot be repaired
	}{
		"muted": {
			prepare: func(t *testing.T, b *events.Broadcaster) {
				if err := b.SetSelector("reason=Other"); err != nil {
					t.Fatal(err)
				}
			},
			reason: events.Muted, invalid: events.Invalid,
		},
		"stopped": {
			prepare: func(t *testing.T, b *events.Broadcaster) { drain(t, b, time.Second) },
			reason:  events.Stopped, invalid: events.Stopped,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, rec := start(t, eventstest.NewSink())
				row.prepare(t, b)
				rec.Eventf(newPod("web"), nil, "Normal", "a\xffb", "Kill", "note")
				rec.Eventf(newPodIn("Not_A_Label", "web"), nil, "Normal", "a\xffb", "Kill", "note")
				rec.Eventf(nil, nil, "Normal", "a\xffb", "Kill", "note")
				want := map[events.DropReason]int64{row.reason: 1}
				want[row.invalid] += 2
				checkDropped(t, b, want)
				for _, counts := range b.Snapshot(0).Counts {
					if counts.Reason != "a\uFFFDb" {
						t.Errorf("counted under the reason %q", counts.Reason)
					}
				}
				if n := b.Stats().Repaired[events.RepairUTF8]; n != 1 {
					t.Errorf("%d repaired, want 1", n)
				}
			})
		})
	}
}

// What gets no series takes the place of none.
//
// Caught: a slot for it in a full cache, before it is known whether it gets a series.
func TestWhatHasNoSeriesEvictsNothing(t *testing.T) {
	for name, row := range map[string]struct {
		selector string
		limit    int
	}{
		"muted":          {selector: "reason!=Other", limit: 3},
		"beyond a limit": {limit: 1}, // the second one is the overflow Event
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, rec := start(t, eventstest.NewSink(), events.WithMaxSeries(2), events.WithObjectLimit(row.limit))
				if err := b.SetSelector(row.selector); err != nil {
					t.Fatal(err)
				}
				for _, reason := range []string{"A", "B"} { // which fill the cache
					rec.Eventf(newPod("web"), nil, "Normal", reason, "Kill", "note")
				}
				flush(t, b)
				time.Sleep(2 * time.Minute) // they may be evicted
				rec.Eventf(newPod("web"), nil, "Normal", "Other", "Kill", "note")
				if s := b.Stats(); s.Evicted != 0 || s.Series != 2 || s.Folded+s.Dropped[events.Muted] == 0 {
					t.Errorf("%d evicted, %d series, %d folded, %d muted", s.Evicted, s.Series, s.Folded, s.Dropped[events.Muted])
				}
			})
		})
	}
}
