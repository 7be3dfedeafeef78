// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// counted is a rate limiter that lets a request pass every 100 ms, and counts them. It is the
// method set of the types below, of which only a pointer can be compared safely.
type counted struct {
	flowcontrol.RateLimiter
	waits *atomic.Int64
}

func newCounted() counted {
	return counted{flowcontrol.NewTokenBucketRateLimiter(10, 1), &atomic.Int64{}}
}

func (c counted) Wait(ctx context.Context) error {
	c.waits.Add(1)
	return c.RateLimiter.Wait(ctx)
}

type withSlice struct {
	counted
	_ []string
}

// withInterface can be compared as a type, and panics when two values are.
type withInterface struct {
	counted
	tag any
}

type byName map[string]counted

func (m byName) Wait(ctx context.Context) error { return m["all"].Wait(ctx) }
func (m byName) QPS() float32                   { return m["all"].QPS() }
func (m byName) TryAccept() bool                { return m["all"].TryAccept() }
func (m byName) Accept()                        { m["all"].Accept() }
func (m byName) Stop()                          { m["all"].Stop() }

type function func() counted

func (f function) Wait(ctx context.Context) error { return f().Wait(ctx) }
func (f function) QPS() float32                   { return f().QPS() }
func (f function) TryAccept() bool                { return f().TryAccept() }
func (f function) Accept()                        { f().Accept() }
func (f function) Stop()                          { f().Stop() }

// A rate limiter may be of any type. Each request passes it once, whoever has made the client, and the accounts know its rate.
//
// Caught: limiters that are compared as they are, which ends the process or every write; one that the writer does not ask, so
// that what it lets pass waits for it within the time of a write.
func TestRateLimiterOfAnyType(t *testing.T) {
	for name, limiter := range map[string]func(counted) flowcontrol.RateLimiter{
		"pointer":                      func(c counted) flowcontrol.RateLimiter { return &c },
		"struct":                       func(c counted) flowcontrol.RateLimiter { return c },
		"struct with a slice":          func(c counted) flowcontrol.RateLimiter { return withSlice{counted: c} },
		"slice in an interface within": func(c counted) flowcontrol.RateLimiter { return withInterface{c, []string{"all"}} },
		"map":                          func(c counted) flowcontrol.RateLimiter { return byName{"all": c} },
		"function":                     func(c counted) flowcontrol.RateLimiter { return function(func() counted { return c }) },
	} {
		for _, own := range []bool{true, false} {
			fixture.InBubble(t, fmt.Sprint(name, ", NewForConfig: ", own), func(t *testing.T) {
				remote, counted := newCluster(), newCounted()
				remote.Config().QPS, remote.Config().RateLimiter = 0, limiter(counted)
				a := newAdapterOver(t, remote, own)
				if err := a.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				const series, each = 300, 3
				for i := range series {
					emit(a.Recorder(controller), each, "default", fmt.Sprint("web-", i))
				}
				fixture.Flush(t, a)
				checkAccounts(t, a, series*each, 0, nil)
				requests := int64(len(remote.Requests()))
				if waits := counted.waits.Load(); waits != requests {
					t.Errorf("%d requests passed the rate limiter %d times", requests, waits)
				}
				if took := time.Since(began); took < (time.Duration(requests)-1)*100*time.Millisecond {
					t.Errorf("%d requests in %v: they bypass the rate limiter", requests, took)
				}
				for _, gate := range a.Snapshot(10).Gates {
					if gate.Failures > 0 || gate.Failing {
						t.Errorf("waiting for the rate limiter is taken for a failure: %+v", gate)
					}
				}
				a.Shutdown()
			})
		}
	}
}

// newAdapterOver returns an adapter that writes to events.k8s.io/v1 and has made its client itself, or not.
func newAdapterOver(t *testing.T, remote *cluster, own bool, opts ...adapter.Option) *adapter.Adapter {
	t.Helper()
	opts = append([]adapter.Option{quiet, adapter.WithMode(adapter.ModeEventsV1)}, opts...)
	if !own {
		return adapter.New(t.Context(), remote.Client(), opts...)
	}
	a, err := adapter.NewForConfig(t.Context(), remote.Config(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// panicking is a rate limiter that panics at every third request.
type panicking struct{ counted }

func (p panicking) Wait(ctx context.Context) error {
	if err := p.counted.Wait(ctx); err != nil || p.waits.Load()%3 != 0 {
		return err
	}
	panic("limiter")
}

func (p panicking) QPS() float32 { panic("QPS") }

// A rate limiter that panics ends neither the process nor the writes. The log has it.
func TestRateLimiterPanics(t *testing.T) {
	for _, own := range []bool{true, false} {
		fixture.InBubble(t, fmt.Sprint("NewForConfig: ", own), func(t *testing.T) {
			remote, counted := newCluster(), newCounted()
			remote.Config().QPS, remote.Config().RateLimiter = 0, panicking{counted}
			log, logged := withLog()
			a := newAdapterOver(t, remote, own, logged)
			if err := a.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := range 20 {
				emit(a.Recorder(controller), 1, "default", fmt.Sprint("web-", i))
			}
			fixture.Flush(t, a)
			checkAccounts(t, a, 20, 0, nil)
			if s := a.Snapshot(1); s.Stats.Retries == 0 {
				t.Error("no request met the panic")
			}
			a.Shutdown()
			log.CheckOnce(t, "limiter")
		})
	}
}
