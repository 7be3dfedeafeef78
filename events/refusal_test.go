// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A hot loop with an event that is not accepted is a few requests an hour, not one per occurrence.
func TestRefusalStopsAHotLoop(t *testing.T) {
	loop := int64(flood(1_000_000))
	for reason, err := range map[events.DropReason]error{
		events.Rejected: errInvalid, events.NamespaceGone: errNoNamespace, events.Filtered: events.ErrFiltered,
	} {
		t.Run(string(reason), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				sink.FailNext(-1, err)
				var told atomic.Int64
				b, rec := start(t, sink, events.WithDropHandler(func(d events.Drop) { told.Add(d.Occurrences) }))
				record(rec, 1, "web")
				synctest.Wait()
				record(rec, int(loop)-1, "web")
				synctest.Wait()
				if n := sink.Counts(); n.Creates != 1 || n.Patches != 0 {
					t.Errorf("%+v, want 1 create", n)
				}
				checkDropped(t, b, map[events.DropReason]int64{reason: loop})
				if n := told.Load(); n != loop {
					t.Errorf("the handler was told of %d, want %d", n, loop)
				}
				for range 60*60 - 1 { // the rest of its first hour
					time.Sleep(time.Second)
					record(rec, 1, "web")
				}
				synctest.Wait()
				if n := sink.Counts(); n.Creates != 10 {
					t.Errorf("%+v, want 10 creates", n)
				}
				sink.Heal()
				time.Sleep(5*time.Minute + time.Second)
				record(rec, 1, "web")
				synctest.Wait()
				if s := b.Stats(); s.Recorded != 1 || s.Dropped[reason] != loop+60*60-1 {
					t.Errorf("recorded %d, dropped %d, want 1 and %d", s.Recorded, s.Dropped[reason], loop+60*60-1)
				}
			})
		})
	}
}

// A terminating namespace takes patches, and each new series asks for itself. What was refused is not asked again for a
// minute, and what comes later is written as soon as the namespace is there again.
func TestTerminatingNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newTimeline()
		b, rec := start(t, sink)
		emit := func(namespace, name, reason string) {
			rec.Eventf(newPodIn(namespace, name), nil, "Normal", reason, "Kill", "note")
		}
		emit("going", "old", "Killing")
		flush(t, b)
		sink.FailNext(2, errTerminating())
		for range 10 {
			emit("going", "web", "Killing")
			synctest.Wait()
			emit("going", "db", "Killing")
			synctest.Wait()
		}
		checkDropped(t, b, map[events.DropReason]int64{events.NamespaceGone: 20})
		emit("going", "old", "Killing")
		time.Sleep(time.Second)
		emit("going", "late", "Killing")
		time.Sleep(time.Minute)
		emit("going", "web", "Killing")
		synctest.Wait()
		sink.check(t,
			"@0s create old", "@0s create web", "@0s create db",
			"@0s patch old count=2 last=@0s", "@1s create late", "@1m1s create web")
	})
}

// One transient refusal does not silence a BackOff that comes every five minutes for a month.
//
// Caught: a refusal that each occurrence prolongs.
func TestOneRefusalDoesNotSilenceASeries(t *testing.T) {
	for name, err := range map[string]error{
		"422": errInvalid, "400": apierrors.NewBadRequest("etcd"), "no namespace": errNoNamespace,
		"terminating": errTerminating(),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const every, days = 5 * time.Minute, 30
				sink := eventstest.NewSink()
				sink.FailNext(1, err)
				b, rec := start(t, sink)
				n := int64(days * 24 * time.Hour / every)
				for range n {
					record(rec, 1, "web")
					time.Sleep(every)
				}
				flush(t, b)
				if s := b.Stats(); s.Recorded != n-1 || s.Pending != 0 {
					t.Errorf("recorded %d of %d, pending %d, want all but the first", s.Recorded, n, s.Pending)
				}
				if e := only(t, sink); count(&e) != n-1 {
					t.Errorf("the Event counts %d, want %d", count(&e), n-1)
				}
			})
		})
	}
}

// A namespace that is deleted and made again a moment later is recorded again, while occurrences never pause.
func TestNamespaceMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		record(rec, 1, "web")
		flush(t, b)
		sink.FailNext(1, errNoNamespace)
		for range 24 * 60 {
			record(rec, 1, "web")
			time.Sleep(time.Minute)
		}
		flush(t, b)
		if s := b.Stats(); s.Dropped[events.NamespaceGone] != 1 || s.Recorded != 24*60 {
			t.Errorf("recorded %d, dropped %d, want all but one recorded", s.Recorded, s.Dropped[events.NamespaceGone])
		}
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
