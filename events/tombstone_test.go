// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A hot loop with an event that is never accepted is one request, not one per occurrence.
func TestTombstoneStopsAHotLoop(t *testing.T) {
	const loop = 1_000_000 / scale
	for reason, err := range map[events.DropReason]error{
		events.Rejected: errInvalid, events.NamespaceGone: errNoNamespace, events.Filtered: events.ErrFiltered,
	} {
		t.Run(string(reason), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				sink.FailNext(-1, err)
				var told int64
				b, rec := start(t, sink, events.WithDropHandler(func(d events.Drop) { told += d.Occurrences }))
				record(rec, 1, "web")
				synctest.Wait()
				record(rec, loop-1, "web")
				synctest.Wait()
				if n := sink.Counts(); n.Creates != 1 || n.Patches != 0 {
					t.Errorf("%+v, want 1 create", n)
				}
				checkDropped(t, b, map[events.DropReason]int64{reason: loop})
				if told != loop {
					t.Errorf("the handler was told of %d, want %d", told, loop)
				}
				// The tombstone lasts until the loop has been quiet for the finish interval.
				time.Sleep(6*time.Minute - 1)
				record(rec, 1, "web")
				time.Sleep(6 * time.Minute)
				sink.Heal()
				record(rec, 1, "web")
				synctest.Wait()
				if s := b.Stats(); s.Recorded != 1 || s.Dropped[reason] != loop+1 {
					t.Errorf("recorded %d, dropped %d, want 1 and %d", s.Recorded, s.Dropped[reason], loop+1)
				}
			})
		})
	}
}

// A terminating namespace takes what is queued for creation in it along and gates creates in it for a minute; patches
// pass, and other namespaces are not concerned.
func TestTerminatingNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		b, rec := start(t, sink)
		emit := func(namespace, name, reason string) {
			rec.Eventf(newPodIn(namespace, name), nil, "Normal", reason, "Kill", "note")
		}
		emit("going", "old", "Killing")
		flush(t, b)
		sink.Hold()
		sink.FailNext(3, errTerminating()) // as many as may be in flight
		for i := range 20 {
			emit("going", "web", fmt.Sprint("Reason", i))
		}
		synctest.Wait()
		sink.Release()
		synctest.Wait()
		checkDropped(t, b, map[events.DropReason]int64{events.NamespaceGone: 20})
		emit("going", "old", "Killing")
		synctest.Wait()
		emit("staying", "other", "Killing")
		emit("going", "late", "Killing")
		synctest.Wait()
		sink.FailNext(1, errTerminating())
		time.Sleep(2 * time.Minute)
		sink.check(t,
			"@0s create old", "@0s create web", "@0s create web", "@0s create web",
			"@0s patch old count=2 last=@0s", "@0s create other", "@1m0s create late")
	})
}

// A missing namespace gates nothing: it may be created the next moment.
func TestMissingNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		sink.FailNext(1, errNoNamespace)
		_, rec := start(t, sink)
		record(rec, 1, "web")
		synctest.Wait()
		record(rec, 1, "other")
		synctest.Wait()
		checkLog(t, sink, "create pod/web Killing: NotFound\ncreate pod/other Killing\n")
	})
}
