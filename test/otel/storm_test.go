// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"context"
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/sinks"
)

// The storm: 40,000 occurrences over 1,000 series.
const (
	series = 1000
	rounds = 40
	pause  = 100 * time.Millisecond
)

// newProvider has the settings of README.md.
func newProvider(t *testing.T, address string) *sdklog.LoggerProvider {
	t.Helper()
	exporter, err := otlploggrpc.New(t.Context(),
		otlploggrpc.WithEndpoint(address), otlploggrpc.WithInsecure(),
		otlploggrpc.WithTimeout(time.Hour),
		otlploggrpc.WithRetry(otlploggrpc.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: 30 * time.Second, MaxElapsedTime: time.Hour,
		}))
	if err != nil {
		t.Fatal(err)
	}
	return sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(exporter,
		sdklog.WithMaxQueueSize(1<<16), sdklog.WithExportTimeout(time.Hour))))
}

// storm records, calls during each round, drains, and returns the accounts.
func storm(t *testing.T, c *collector, during func(round int)) events.Stats {
	t.Helper()
	provider := newProvider(t, c.address)
	exported, err := otelevents.NewSink(provider)
	if err != nil {
		t.Fatal(err)
	}
	tee := sinks.Tee(sinks.JSONLines(io.Discard), exported)
	b := events.NewBroadcaster(tee, tuning.Publishing(time.Second, 0, 0))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	r := b.Recorder(nil, "example.com/storm")
	for round := range rounds {
		during(round)
		for i := range series {
			name := fmt.Sprint("pod-", i)
			pod := &corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: name, UID: types.UID(name),
			}
			r.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "restarting")
		}
		time.Sleep(pause)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := b.Drain(ctx); err != nil {
		t.Error(err)
	}
	if err := provider.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if tee.Failed() != 0 || exported.Lost() != 0 {
		t.Errorf("%d failed and %d lost, want none", tee.Failed(), exported.Lost())
	}
	return b.Stats()
}

// everything is what the collector must have.
func everything() map[string]counted {
	want := map[string]counted{}
	for i := range series {
		want[fmt.Sprint("pod-", i)] = counted{rounds, rounds}
	}
	return want
}

// A collector that is restarted loses and doubles nothing: the deltas of each series add up to its occurrences.
//
// Caught: an exporter that does not retry; a queue of 64 records; a retried record that is another one.
func TestStormWithARestart(t *testing.T) {
	c := startCollector(t)
	s := storm(t, c, func(round int) {
		switch round {
		case rounds / 4:
			c.end(syscall.SIGTERM)
		case rounds / 2:
			c.start()
		}
	})
	c.end(syscall.SIGTERM)
	all := c.records()
	got, duplicates := counts(all)
	t.Logf("%d occurrences, %d records, %d of them twice", s.Observed, len(all), duplicates)
	if s.Observed != series*rounds || s.Recorded != s.Observed {
		t.Errorf("Observed = %d, Recorded = %d, want %d", s.Observed, s.Recorded, series*rounds)
	}
	if diff := cmp.Diff(everything(), got); diff != "" {
		t.Errorf("the deltas (-want +got):\n%.2000s", diff)
	}
}
