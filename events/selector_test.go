// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"testing"
	"testing/synctest"
)

func (r *rig) selects(text string) {
	r.Helper()
	if err := r.b.SetSelector(text); err != nil {
		r.Fatal(err)
	}
}

// A selector mutes from now on; what is pending is written, a series that is muted stays as it is, and goes on when it is
// selected again. Watchers get what is muted.
func TestSelector(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		seen := watch(r, r.b)
		r.sink.Hold()
		r.record(3, "web")
		r.selects("type=Warning")
		if err := r.b.SetSelector("reasn=BackOff"); err == nil { // which changes nothing
			r.Error("an unknown field is no error")
		}
		r.record(2, "web")
		r.record(1, "new")
		r.rec.Eventf(newPod("web"), nil, "Warning", "BackOff", "Restart", "again")
		r.sink.Release()
		r.flush()
		r.checkTold(
			"Muted x1: Normal Killing about Pod web", "Muted x1: Normal Killing about Pod web",
			"Muted x1: Normal Killing about Pod new")
		if s := r.b.Snapshot(0); s.Stats.Recorded != 4 || s.Stats.Series != 2 || s.Selector != "type=Warning" {
			r.Errorf("%+v, want 4 recorded in 2 series", s)
		}
		r.selects("")
		r.record(2, "web")
		r.flush()
		r.diff("counts", map[string]int64{"Killing": 5, "BackOff": 1}, r.stored(byReason))
		synctest.Wait()
		if n := len(seen()); n != 9 {
			r.Errorf("the watcher got %d, want all 9", n)
		}
	})
}
