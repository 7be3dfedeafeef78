// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"context"
	"errors"
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
