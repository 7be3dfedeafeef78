// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/noop"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/sinks"
)

// The sink keeps the contract of a Sink, alone and beside a server.
func TestContract(t *testing.T) {
	eventstest.TestSink(t, func(t *testing.T) events.Sink { return newSink(t, provide(&exporter{})) })
	eventstest.TestSink(t, func(t *testing.T) events.Sink {
		return sinks.Tee(eventstest.NewSink(), newSink(t, provide(&exporter{})))
	})
}

func TestNewSinkWithoutAProvider(t *testing.T) {
	for want, provider := range map[string]log.LoggerProvider{
		"the provider is nil": nil,
		"panicked":            (*sdklog.LoggerProvider)(nil),
	} {
		if _, err := otelevents.NewSink(provider); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewSink(%#v) = %v, want an error with %q", provider, err, want)
		}
	}
	if _, err := otelevents.NewSink(noop.NewLoggerProvider()); err != nil {
		t.Error(err)
	}
}

// The sum of the deltas is the number of recorded occurrences, even if answers of the API server
// are lost. Drain exports the last records.
//
// Caught: a delta that is the total; a Drain that leaves records in the batch processor.
func TestDeltasAddUp(t *testing.T) {
	lost := context.DeadlineExceeded
	servers := map[string]func() *eventstest.Sink{
		"alone":   func() *eventstest.Sink { return nil },
		"healthy": eventstest.NewSink,
		"loses answers": func() *eventstest.Sink {
			s := eventstest.NewSink()
			s.LoseNext(20, lost)
			return s
		},
	}
	for name, newServer := range servers {
		fixture.InBubble(t, name, func(t *testing.T) {
			e := &exporter{}
			provider := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(e)))
			var sink events.Sink = newSink(t, provider)
			if server := newServer(); server != nil {
				sink = sinks.Tee(server, sink)
			}
			b, r := start(t, sink)
			want := map[string]counted{}
			for i := range 10 {
				emit(r, 30, fmt.Sprint("pod-", i%5))
				time.Sleep(20 * time.Second)
				want[fmt.Sprint("pod-", i%5)] = counted{60, 60}
			}
			fixture.End(t, b)
			if diff := cmp.Diff(want, e.counts(t)); diff != "" {
				t.Errorf("deltas (-want +got):\n%s", diff)
			}
			if err := provider.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// hostileProcessor calls a function of the test before each record.
type hostileProcessor struct {
	sdklog.Processor
	n       atomic.Int64
	hostile func(n int64)
}

func (p *hostileProcessor) OnEmit(ctx context.Context, r *sdklog.Record) error {
	p.hostile(p.n.Add(1))
	return p.Processor.OnEmit(ctx, r)
}

func withHostile(e sdklog.Exporter, onEmit func(n int64)) *sdklog.LoggerProvider {
	return sdklog.NewLoggerProvider(sdklog.WithProcessor(
		&hostileProcessor{Processor: sdklog.NewSimpleProcessor(e), hostile: onEmit}))
}

// A provider that panics, or ends the goroutine, loses only that record.
func TestProviderPanics(t *testing.T) {
	for name, blow := range map[string]func(){"panic": func() { panic("oh") }, "Goexit": runtime.Goexit} {
		fixture.InBubble(t, name, func(t *testing.T) {
			e := &exporter{}
			sink := newSink(t, withHostile(e, func(n int64) {
				if n%2 == 0 {
					blow()
				}
			}))
			b, r := start(t, sink)
			for i := range 10 {
				emit(r, 1, fmt.Sprint("pod-", i))
			}
			fixture.End(t, b)
			if n := len(e.exported()); n != 5 || sink.Lost() != 5 {
				t.Errorf("%d exported and %d lost, want 5 and 5", n, sink.Lost())
			}
			if s := b.Stats(); s.Recorded != 10 {
				t.Errorf("Recorded = %d, want 10", s.Recorded)
			}
		})
	}
}

// A provider that blocks delays neither Eventf, nor writes to the API server, nor the shutdown. A
// sink that is used alone loses nothing: if a record finds no room, its occurrences stay pending
// until the provider continues.
//
// Caught: a record that is emitted by a worker; a queue without a bound; a Drain that waits for ever.
func TestProviderBlocks(t *testing.T) {
	const series, each = 6000, 3
	for _, beside := range []bool{false, true} {
		fixture.InBubble(t, fmt.Sprint("beside a server: ", beside), func(t *testing.T) {
			release := make(chan struct{})
			e := &exporter{}
			only := newSink(t, withHostile(e, func(int64) { <-release }))
			var sink events.Sink = only
			server := eventstest.NewSink()
			server.CountOnly()
			tee := sinks.Tee(server, only)
			if beside {
				sink = tee
			}
			b, r := start(t, sink)
			for i := range series {
				emit(r, each, fmt.Sprint("pod-", i))
			}
			time.Sleep(10 * time.Minute)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := b.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Flush() = %v, want the end of its context", err)
			}
			recorded := b.Stats().Recorded
			if beside && recorded != series*each || !beside && recorded >= series*each {
				t.Errorf("Recorded = %d of %d", recorded, series*each)
			}
			if beside && tee.Failed() == 0 {
				t.Error("no failure is counted, want those for which there was no room")
			}
			close(release)
			fixture.End(t, b)
			var sum int64
			for _, c := range e.counts(t) {
				sum += c.Sum
			}
			if want := int64(series * each); !beside && sum != want || sum > want {
				t.Errorf("the deltas sum up to %d of %d", sum, want)
			}
		})
	}
}

// When a provider that blocked continues, writes wait for room again. A write waits no longer than
// its context.
func TestProviderGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow atomic.Int64
		release := make(chan struct{})
		sink := newSink(t, withHostile(&exporter{}, func(n int64) {
			if n == 1 {
				<-release
			}
			time.Sleep(time.Duration(slow.Load()))
		}))
		burst := func(ctx context.Context, n int) (failed int) {
			for range n {
				if _, err := sink.Create(ctx, &eventsv1.Event{}); err != nil {
					failed++
				}
			}
			return failed
		}
		if n := burst(t.Context(), 4097); n != 0 {
			t.Errorf("%d of 4097 failed, want room for all", n)
		}
		begin := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if n := burst(ctx, 1); n != 1 || time.Since(begin) != 100*time.Millisecond {
			t.Errorf("%d failed after %v, want one after 100ms", n, time.Since(begin))
		}
		if n := burst(t.Context(), 2); n != 2 || time.Since(begin) != 600*time.Millisecond {
			t.Errorf("%d failed after %v, want two after 600ms", n, time.Since(begin))
		}
		slow.Store(int64(time.Millisecond))
		close(release)
		time.Sleep(time.Second)
		if n := burst(t.Context(), 10_000); n != 0 {
			t.Errorf("%d failed, want each to wait", n)
		}
		fixture.Flush(t, sink)
	})
}

// A sink costs time for each write, and not for each occurrence.
func TestRepeatAllocatesNothing(t *testing.T) {
	b, r := start(t, sinks.Tee(eventstest.NewSink(), newSink(t, provide(&exporter{}))),
		events.WithContextAnnotations(otelevents.TraceContext))
	defer b.Shutdown()
	object := pod("web")
	repeat := func() { r.Eventf(object, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "image is present") }
	for range 3 {
		repeat()
	}
	fixture.Flush(t, b)
	if n := testing.AllocsPerRun(1000, repeat); n >= 1 {
		t.Errorf("a repeat allocates %v times, want 0", n)
	}
}
