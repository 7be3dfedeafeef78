// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
)

// checkTold compares what the drop handler was told since then, one line each.
func (r *rig) checkTold(want ...string) {
	r.Helper()
	var lines []string
	for _, one := range r.drops.take() {
		line := fmt.Sprintf("%s x%d: %s %s about %s %s", one.Reason, one.Occurrences, one.Type, one.EventReason,
			one.Regarding.Kind, one.Regarding.Name)
		if one.Err != nil {
			line += ": " + one.Err.Error()
		}
		lines = append(lines, line)
	}
	r.diff("drops", want, lines)
}

// What waits for too long is dropped with its full reference, and no sooner; what is invalid, or late, at once.
func TestDropOfOthers(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		ref := &corev1.ObjectReference{
			APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web", UID: "1",
			ResourceVersion: "7", FieldPath: "spec",
		}
		r.sink.FailNext(-1, errUnavailable)
		for range 3 {
			r.rec.Eventf(ref, nil, "Normal", "Killing", "Kill", "note")
		}
		time.Sleep(time.Hour - time.Second)
		r.checkTold()
		time.Sleep(time.Minute)
		if all := r.drops.take(); len(all) != 1 || all[0].Regarding != *ref || all[0].Occurrences != 3 || all[0].Reason != events.TooOld {
			r.Errorf("told of %+v, want 3 of %v", all, ref)
		}
		r.rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
		r.rec.Eventf(ref, nil, "Info", "Killing", "Kill", "note")
		r.b.Shutdown()
		r.record(1, "web")
		r.checkTold(
			"Invalid x1: Normal Killing about  : cannot refer to the regarding object: can't reference a nil object",
			`Invalid x1: Info Killing about Deployment web: unsupported event type "Info", want Normal or Warning`,
			"Stopped x1: Normal Killing about Pod web")
	})
}

// What a full cache has no place for is dropped, and said once a minute.
func TestDropOfCacheFull(t *testing.T) {
	inBubble(t, options{events.WithMaxSeries(2)}, func(r *rig) {
		r.sink.Hold()
		for i := range 4 {
			r.record(1, fmt.Sprint("web-", i))
		}
		r.checkTold("CacheFull x1: Normal Killing about Pod web-2", "CacheFull x1: Normal Killing about Pod web-3")
		r.checkLines([]string{"error: Event dropped", "WithMaxSeries", `maxSeries="2"`})
		r.sink.Release()
	})
}

// What gets no series is counted under valid texts, or as Invalid, like what gets one.
func TestDropsAreChecked(t *testing.T) {
	for reason, row := range map[events.DropReason]struct {
		prepare func(r *rig)
		invalid events.DropReason // what it is that cannot be repaired
	}{
		events.Muted:   {func(r *rig) { r.selects("reason=Other") }, events.Invalid},
		events.Stopped: {func(r *rig) { r.b.Shutdown() }, events.Stopped},
	} {
		t.Run(string(reason), func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				row.prepare(r)
				for _, regarding := range []*corev1.Pod{newPod("web"), newPodIn("Not_A_Label", "web"), nil} {
					r.rec.Eventf(regarding, nil, "Normal", "a\xffb", "Kill", "note")
				}
				want := map[events.DropReason]int64{reason: 1}
				want[row.invalid] += 2
				r.checkDropped(want)
				for _, counts := range r.b.Snapshot(0).Counts {
					if counts.Reason != "a\uFFFDb" {
						r.Errorf("counted under the reason %q", counts.Reason)
					}
				}
				if n := r.b.Stats().Repaired[events.RepairUTF8]; n != 1 {
					r.Errorf("%d repaired, want 1", n)
				}
			})
		})
	}
}
