// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// Every method at once, from many goroutines, until the broadcaster is ended in three ways at the same time. Every
// occurrence is recorded or dropped then, the server has what is recorded, and only one Start was the first.
func TestEverythingAtOnceConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b := events.NewBroadcaster(sink, quiet, events.WithMaxSeries(30), events.WithDropHandler(func(events.Drop) {}))
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var all sync.WaitGroup
		var emitted, started atomic.Int64
		for caller := range 4 {
			all.Go(func() { emitted.Add(emitAll(b, caller)) })
		}
		for range 2 {
			all.Go(func() {
				if b.Start(ctx) == nil {
					started.Add(1)
				}
			})
			all.Go(func() { comeAndGo(b) })
			all.Go(func() {
				for range 10 {
					soon, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
					_ = b.Flush(soon) // may be cut off
					cancel()
					checkConserved(t, b.Stats())
				}
			})
		}
		all.Go(func() {
			for i := range 5 {
				sink.LoseNext(1, errTimeout)
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
			}
		})
		time.Sleep(20 * time.Millisecond)
		all.Go(cancel)
		all.Go(b.Shutdown)
		all.Go(func() { drain(t, b, time.Minute) })
		all.Wait()
		s := b.Stats()
		checkConserved(t, s)
		if s.Observed != emitted.Load() || s.Pending != 0 || s.Recorded == 0 || s.Dropped[events.Stopped] == 0 ||
			started.Load() != 1 {
			t.Errorf("%d emitted, %d times started: %+v", emitted.Load(), started.Load(), s)
		}
		var stored int64
		for _, e := range sink.Events() {
			stored += count(&e)
		}
		if stored < s.Recorded || stored > s.Recorded+s.Unconfirmed {
			t.Errorf("the server counts %d, want %d and up to %d unconfirmed", stored, s.Recorded, s.Unconfirmed)
		}
	})
}

// emitAll records in every way there is, and returns how often.
func emitAll(b *events.Broadcaster, caller int) int64 {
	const rounds = 30
	rec := newRecorder(b)
	latest := rec.WithNotes(events.NotesLatest)
	distinct := rec.WithNotes(events.NotesDistinct(2)).WithLogger(klog.Logger{})
	for i := range rounds {
		pod, annotations := newPod(fmt.Sprint("web-", i%20)), map[string]string{"a": fmt.Sprint(i)}
		rec.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %d", i)
		latest.Eventf(pod, pod, corev1.EventTypeWarning, "Failed", "Start", "try %d", i)
		distinct.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "", "image %d", i)
		rec.AnnotatedEventf(pod, nil, annotations, corev1.EventTypeNormal, "Killing", "Kill", "stopping")
		rec.Eventf(nil, nil, corev1.EventTypeNormal, "Killing", "Kill", "of nobody")
		clear(annotations) // is the caller's again
		pod.Name = "changed"
		time.Sleep(time.Duration(caller+i%3) * time.Millisecond / 2)
	}
	return 5 * rounds
}

// comeAndGo watches for a while, again and again.
func comeAndGo(b *events.Broadcaster) {
	for i := range 10 {
		stop, err := b.StartEventWatcher(func(kruntime.Object) {})
		if err != nil {
			return // drained
		}
		unlog, err := b.StartLogging(klog.New(&testlog.Log{}))
		if err == nil {
			time.Sleep(time.Duration(i) * time.Millisecond)
			unlog()
		}
		stop()
		stop()
	}
}
