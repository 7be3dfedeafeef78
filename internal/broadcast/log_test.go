// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// Callers make up details. Any number of them costs a bounded amount of memory and a bounded number
// of lines a minute, and they do not keep other kinds of faults from the log.
func TestI5DetailsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, lines := NewLog(klog.Logger{}, clock.RealClock{}), 0
		for minute := range 3 {
			for i := range 100_000 {
				log.Do("kind", fmt.Sprint(minute, i), time.Minute, func() { lines++ })
				time.Sleep(time.Minute / 100_000)
			}
			if n := len(log.silent["kind"]); n > maxDetails {
				t.Fatalf("remembers %d details", n)
			}
			said := false
			if log.Do("other", fmt.Sprint(minute), time.Minute, func() { said = true }); !said {
				t.Error("another kind of fault goes unsaid")
			}
		}
		if lines < 3*maxDetails/2 || lines > 4*maxDetails {
			t.Errorf("%d lines in three minutes, want %d each", lines, maxDetails)
		}
	})
}

// Do calls its function without the lock, because the logger in it may record an Event.
func TestDoConcurrentSafe(t *testing.T) {
	log := NewLog(klog.Logger{}, clock.RealClock{})
	var said atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				log.Do("outer", "", time.Hour, func() {
					log.Do("inner", "", time.Hour, func() { said.Add(1) })
				})
			}
		})
	}
	all.Wait()
	if n := said.Load(); n != 1 {
		t.Errorf("said %d times, want once", n)
	}
}
