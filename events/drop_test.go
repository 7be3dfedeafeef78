// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
)

// checkTold compares what the drop handler was told since then, one line each.
func (r *rig) checkTold(want ...string) {
	r.Helper()
	var lines []string
	r.drops.mu.Lock()
	defer r.drops.mu.Unlock()
	for _, one := range r.drops.all {
		line := fmt.Sprintf("%s x%d: %s %s about %s %s", one.Reason, one.Occurrences, one.Type, one.EventReason,
			one.Regarding.Kind, one.Regarding.Name)
		if one.Err != nil {
			line += ": " + one.Err.Error()
		}
		lines = append(lines, line)
	}
	r.drops.all = nil
	r.diff("drops", want, lines)
}

// What a drop handler gets for each answer of the server: one call for all that is pending, and then one for each
// later occurrence.
func TestDropByAnswer(t *testing.T) {
	for reason, err := range map[events.DropReason]error{
		events.Rejected: errInvalid, events.NamespaceGone: errNoNamespace, events.Filtered: fmt.Errorf("mine: %w", events.ErrFiltered),
	} {
		t.Run(string(reason), func(t *testing.T) {
			try(t, nil, func(r *rig) {
				r.sink.FailNext(-1, err)
				r.sink.Hold()
				r.record(1, "web")
				synctest.Wait()
				r.record(2, "web")
				r.sink.Release()
				synctest.Wait()
				if n := len(r.drops.all); n != 1 || !errors.Is(r.drops.all[0].Err, err) {
					r.Errorf("%d drops, want 1 with the answer", n)
				}
				r.checkTold(fmt.Sprintf("%s x3: Normal Killing about Pod web: %v", reason, err))
				r.record(1, "web")
				r.checkTold(fmt.Sprintf("%s x1: Normal Killing about Pod web", reason))
			})
		})
	}
}

// What waits for too long is dropped with its full reference, and no sooner; what is invalid, or late, at once.
func TestDropOfOthers(t *testing.T) {
	try(t, nil, func(r *rig) {
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
		r.diff("reference", *ref, r.drops.all[0].Regarding)
		r.checkTold("TooOld x3: Normal Killing about Deployment web")
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

// A full cache drops the newcomer; a Warning displaces the oldest Normal series that has no write in flight.
func TestDropOfCacheFull(t *testing.T) {
	try(t, options{events.WithMaxSeries(2), events.WithMaxInFlight(1)}, func(r *rig) {
		emit := func(kind, name string, want ...string) {
			r.Helper()
			r.rec.Eventf(newPod(name), nil, kind, "Killing", "Kill", "note")
			r.checkTold(want...)
		}
		r.sink.Hold()
		emit("Normal", "flying")
		synctest.Wait()
		emit("Normal", "waiting")
		emit("Normal", "waiting")
		emit("Normal", "newcomer", "CacheFull x1: Normal Killing about Pod newcomer")
		emit("Warning", "bad", "CacheFull x2: Normal Killing about Pod waiting")
		emit("Warning", "worse", "CacheFull x1: Warning Killing about Pod worse")
		r.checkLines([]string{"error: Event dropped", "WithMaxSeries", `maxSeries="2"`}) // one a minute
		r.sink.Release()
		r.flush()
		r.diff("Events", map[string]int64{"flying": 1, "bad": 1}, r.stored(byObject))
		// Acknowledged, and idle for a minute: now they may give way.
		emit("Normal", "early", "CacheFull x1: Normal Killing about Pod early")
		time.Sleep(time.Minute)
		emit("Normal", "next")
		if n := r.b.Stats().Evicted; n != 2 {
			r.Errorf("%d evicted, want the displaced and the idle one", n)
		}
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
			try(t, nil, func(r *rig) {
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
