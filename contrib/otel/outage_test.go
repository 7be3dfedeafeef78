// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	sdklog "go.opentelemetry.io/otel/sdk/log"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// collector is an exporter to a collector that may be down. It tries again until the context ends, as an OTLP exporter
// does whose retries have no shorter limit.
type collector struct {
	exporter
	up chan struct{} // closed when it is up again
}

func newCollector() *collector {
	c := &collector{up: make(chan struct{})}
	c.hold = func(ctx context.Context) error {
		select {
		case <-c.up:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return c
}

func (c *collector) provider(queue int) *sdklog.LoggerProvider {
	return sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(c,
		sdklog.WithMaxQueueSize(queue), sdklog.WithExportTimeout(2*time.Hour))))
}

// A collector that is down for an hour, while a storm goes on: a queue that is large enough loses nothing. With one that
// is too small the deltas are short, and the highest count of each series still is the number of its occurrences.
//
// Caught: a total that restarts; a provider that holds up the API server.
func TestCollectorDownForAnHour(t *testing.T) {
	const series, minutes = 50, 60
	for queue, complete := range map[int]bool{1 << 16: true, 64: false} {
		t.Run(fmt.Sprint("a queue of ", queue), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, server := newCollector(), eventstest.NewSink()
				server.CountOnly()
				provider := c.provider(queue)
				b, r := start(t, sinks.Tee(server, newSink(t, provider)))
				for range minutes {
					for i := range series {
						emit(r, 10, fmt.Sprint("pod-", i))
					}
					time.Sleep(time.Minute)
				}
				close(c.up)
				for i := range series {
					emit(r, 1, fmt.Sprint("pod-", i))
				}
				drain(t, b)
				if s := b.Stats(); s.Recorded != series*(minutes*10+1) {
					t.Errorf("Recorded = %d, want %d", s.Recorded, series*(minutes*10+1))
				}
				got := c.counts(t)
				short := 0
				for name, n := range got {
					if n.Highest != minutes*10+1 {
						t.Errorf("%s: the highest count is %d, want %d", name, n.Highest, minutes*10+1)
					}
					if n.Sum != n.Highest {
						short++
					}
				}
				if len(got) != series || (short == 0) != complete {
					t.Errorf("%d series, of which the deltas of %d are short; complete: %t", len(got), short, complete)
				}
				if err := provider.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A drain while the collector is down ends in time, and says what is wrong. The API server has everything.
func TestDrainWhileTheCollectorIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, server := newCollector(), eventstest.NewSink()
		provider := c.provider(1024)
		b, r := start(t, sinks.Tee(server, newSink(t, provider)))
		emit(r, 5, "web")
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		err := b.Drain(ctx)
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 6*time.Second {
			t.Errorf("Drain() = %v after %v, want the end of its context within six seconds", err, took)
		}
		if s := b.Stats(); s.Recorded != 5 || len(server.Events()) != 1 {
			t.Errorf("Recorded = %d, %d Events; want 5 and 1", s.Recorded, len(server.Events()))
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = provider.Shutdown(ctx) // an error: the records cannot be exported
	})
}
