// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

// Every method at once, from many goroutines, until the broadcaster is ended in three ways at the same time: sinks and
// watchers come and go, and what they were told adds up in the end.
//
// Caught: a sink whose accounts are forgotten when it is stopped.
func TestEverythingAtOnceConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		b := NewBroadcaster(quiet, WithContext(ctx), withQueueSize(50),
			WithCorrelatorOptions(record.CorrelatorOptions{MaxEvents: 10_000, BurstSize: 10_000}))
		sinks := []*switchable{{delay: time.Millisecond}}
		b.StartRecordingToSink(sinks[0])
		for range 6 {
			sinks = append(sinks, &switchable{delay: time.Millisecond})
		}
		var all sync.WaitGroup
		const callers, rounds = 4, 30
		for caller := range callers {
			all.Go(func() {
				recorder := b.NewRecorder(nil, kubelet).WithLogger(logr.Discard())
				for i := range rounds {
					object, annotations := pod(fmt.Sprint(i%20)), map[string]string{"k": "v"}
					recorder.AnnotatedEventf(object, annotations, "Normal", "Started", "%d", i)
					recorder.Event(object, "Warning", "Failed", "m")
					recorder.Event(nil, "Normal", "Started", "m")
					clear(annotations) // is the caller's again
					object.Name = "changed"
					time.Sleep(time.Duration(caller+i%3) * time.Millisecond / 2)
				}
			})
		}
		for _, sink := range sinks[1:] {
			all.Go(func() {
				recording := b.StartRecordingToSink(sink)
				time.Sleep(10 * time.Millisecond)
				recording.Stop()
				recording.Stop()
			})
			all.Go(func() {
				watcher := b.StartEventWatcher(func(*corev1.Event) { time.Sleep(time.Millisecond) })
				time.Sleep(5 * time.Millisecond)
				watcher.Stop()
				balance(t, b.Stats())
				soon, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
				defer cancel()
				_ = b.Flush(soon) // may be cut off
			})
		}
		time.Sleep(15 * time.Millisecond)
		all.Go(cancel)
		all.Go(b.Shutdown)
		all.Go(func() { _ = b.Drain(context.Background()) })
		all.Wait()
		b.Shutdown()
		s := b.Stats()
		var stored int64
		for _, sink := range sinks {
			stored += sink.stored.Load()
		}
		checkStats(t, s, map[string]int64{"Pending": 0, "Recorded": stored, "Unconfirmed": 0})
		const calls = 3 * callers * rounds
		if s.Observed < calls || s.Recorded == 0 || s.Dropped[reasonOf("Stopped")] == 0 {
			t.Errorf("%d calls, the test is too tame: %+v", calls, s)
		}
	})
}
