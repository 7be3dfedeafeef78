// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// drops collects the calls of a drop handler.
type drops struct {
	mu  sync.Mutex // guards the rest
	all []events.Drop
}

func (d *drops) option() events.Option {
	return events.WithDropHandler(func(one events.Drop) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.all = append(d.all, one)
	})
}

// take returns the drops since it was called last, one line each.
func (d *drops) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var lines []string
	for _, one := range d.all {
		line := fmt.Sprintf("%s x%d: %s %s about %s %s", one.Reason, one.Occurrences, one.Type, one.EventReason,
			one.Regarding.Kind, one.Regarding.Name)
		if one.Err != nil {
			line += ": " + one.Err.Error()
		}
		lines = append(lines, line)
	}
	d.all = nil
	return lines
}

func (d *drops) check(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, d.take()); diff != "" {
		t.Errorf("drops (-want +got):\n%s", diff)
	}
}

// What a drop handler gets for each answer of the server: one call for all that is pending, and then one for each
// later occurrence.
func TestDropByAnswer(t *testing.T) {
	for _, test := range []struct {
		reason events.DropReason
		err    error
	}{
		{events.Rejected, errInvalid}, {events.NamespaceGone, errNoNamespace}, {events.NamespaceGone, errTerminating()},
		{events.Filtered, fmt.Errorf("mine: %w", events.ErrFiltered)},
	} {
		t.Run(test.err.Error(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink, handled := eventstest.NewSink(), &drops{}
				sink.FailNext(-1, test.err)
				sink.Hold()
				_, rec := start(t, sink, handled.option())
				record(rec, 1, "web")
				synctest.Wait()
				record(rec, 2, "web")
				sink.Release()
				synctest.Wait()
				if n := len(handled.all); n != 1 || !errors.Is(handled.all[0].Err, test.err) {
					t.Errorf("%d drops, want 1 with the answer", n)
				}
				handled.check(t, fmt.Sprintf("%s x3: Normal Killing about Pod web: %v", test.reason, test.err))
				record(rec, 1, "web")
				handled.check(t, fmt.Sprintf("%s x1: Normal Killing about Pod web", test.reason))
			})
		})
	}
}

func TestDropOfInvalid(t *testing.T) {
	handled := &drops{}
	b := events.NewBroadcaster(eventstest.NewSink(), quiet, handled.option())
	rec := newRecorder(b)
	rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
	handled.check(t, "Invalid x1: Normal Killing about  : cannot refer to the regarding object: "+
		"can't reference a nil object")
	rec.Eventf(newPod("web"), nil, "Info", "Killing", "Kill", "note")
	handled.check(t, `Invalid x1: Info Killing about Pod web: unsupported event type "Info", want Normal or Warning`)
	b.Shutdown()
	record(rec, 1, "web")
	handled.check(t, "Stopped x1: Normal Killing about Pod web")
}

func TestDropOfAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, handled := eventstest.NewSink(), &drops{}
		sink.Hold()
		b, rec := start(t, sink, handled.option())
		record(rec, 3, "web")
		drain(t, b, time.Second)
		if n := len(handled.all); n != 1 || !errors.Is(handled.all[0].Err, context.DeadlineExceeded) {
			t.Errorf("%d drops, want 1 with the context's error", n)
		}
		handled.check(t, "Abandoned x3: Normal Killing about Pod web: context deadline exceeded")
	})
}

func TestDropOfTooOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, handled := eventstest.NewSink(), &drops{}
		sink.FailNext(-1, errUnavailable)
		_, rec := start(t, sink, handled.option())
		record(rec, 3, "web")
		time.Sleep(time.Hour - time.Second)
		handled.check(t)
		time.Sleep(time.Minute)
		handled.check(t, "TooOld x3: Normal Killing about Pod web")
	})
}

// A full cache drops the newcomer; a Warning displaces the oldest Normal series that has no write in flight.
func TestDropOfCacheFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, handled := eventstest.NewSink(), &drops{}
		sink.Hold()
		b, rec := start(t, sink, handled.option(), events.WithMaxSeries(2), events.WithMaxInFlight(1))
		emit := func(kind, name string) { rec.Eventf(newPod(name), nil, kind, "Killing", "Kill", "note") }
		emit("Normal", "flying")
		synctest.Wait()
		emit("Normal", "waiting")
		emit("Normal", "waiting")
		emit("Normal", "newcomer")
		handled.check(t, "CacheFull x1: Normal Killing about Pod newcomer")
		emit("Warning", "bad")
		handled.check(t, "CacheFull x2: Normal Killing about Pod waiting")
		emit("Warning", "worse")
		handled.check(t, "CacheFull x1: Warning Killing about Pod worse")
		sink.Release()
		flush(t, b)
		checkLog(t, sink, "create pod/flying Killing\ncreate pod/bad Killing\n")
		// Acknowledged, and idle for a minute: now they may give way.
		emit("Normal", "early")
		handled.check(t, "CacheFull x1: Normal Killing about Pod early")
		time.Sleep(time.Minute)
		emit("Normal", "next")
		handled.check(t)
		if n := b.Stats().Evicted; n != 2 {
			t.Errorf("%d evicted, want the displaced and the idle one", n)
		}
	})
}

// The reference that a handler gets of pending occurrences is the full one.
func TestDropHasTheReference(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := &drops{}
		b := events.NewBroadcaster(eventstest.NewSink(), quiet, handled.option())
		ref := &corev1.ObjectReference{
			APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web", UID: "1",
			ResourceVersion: "7", FieldPath: "spec",
		}
		newRecorder(b).Eventf(ref, nil, "Normal", "Killing", "Kill", "note")
		drain(t, b, time.Second)
		if diff := cmp.Diff(*ref, handled.all[0].Regarding); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
