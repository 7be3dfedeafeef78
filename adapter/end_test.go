// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// ignoring is a sink whose Flush ignores its context until release is closed. It must not be entered twice.
type ignoring struct {
	events.Sink
	release        chan struct{}
	inside, called atomic.Int32
	twice          atomic.Bool
}

func (s *ignoring) Flush(context.Context) error {
	s.called.Add(1)
	if s.inside.Add(1) > 1 {
		s.twice.Store(true)
	}
	defer s.inside.Add(-1)
	<-s.release
	return nil
}

// A Drain and a Shutdown return in their time, whatever ignores its context.
//
// Caught: a flush of the sink that the drain waits for; one beside that of the drain; a probe that the drain waits for.
func TestTheEndWaitsForNobodyWhoIgnoresIt(t *testing.T) {
	for _, after := range []time.Duration{-1, 0, time.Hour} {
		for _, shutdown := range []bool{false, true} {
			name := fmt.Sprintf("%v after the end of the context, by Shutdown: %t: ", after, shutdown)
			t.Run(name+"Flush", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &ignoring{release: make(chan struct{})}
					defer close(s.release)
					err := endOf(t, newCluster(), after, shutdown,
						adapter.WithSink(func(api events.Sink) events.Sink { s.Sink = api; return s }))
					if !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("Drain() = %v, want that a Flush has ignored its deadline", err)
					}
					if called := s.called.Load(); s.twice.Load() || called != 1 {
						t.Errorf("%d flushes, two at a time: %t", called, s.twice.Load())
					}
				})
			})
			t.Run(name+"discovery", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newCluster()
					c.hang = make(chan struct{})
					defer close(c.hang)
					var lost *events.AbandonedError
					if err := endOf(t, c, after, shutdown); !errors.As(err, &lost) || lost.Stuck != 1 {
						t.Errorf("Drain() = %v, want one that is stuck", err)
					}
				})
			})
		}
	}
}

// endOf ends an adapter a time after its context, and returns Drain's error. All is written.
func endOf(t *testing.T, c *cluster, after time.Duration, shutdown bool, opts ...adapter.Option) (err error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a := adapter.New(context.Background(), c.client(), append(opts, quiet)...)
	if err := a.Start(ctx); err != nil {
		t.Fatal(err)
	}
	emit(a.NewRecorder(controller), 1, "shop", "web")
	synctest.Wait() // discovery is asked
	if after >= 0 {
		cancel()
		time.Sleep(after)
	}
	began, ended := time.Now(), make(chan struct{})
	go func() {
		defer close(ended)
		if shutdown {
			a.Shutdown()
		}
		bounded, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		err = a.Drain(bounded)
	}()
	select {
	case <-ended:
	case <-time.After(time.Hour):
		t.Fatal("it has not ended after an hour")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	checkAccounts(t, a, 1, 0, nil)
	return err
}
