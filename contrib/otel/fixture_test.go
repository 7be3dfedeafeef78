// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	otelevents "github.com/eventseries/eventseries/contrib/otel"
	"github.com/eventseries/eventseries/events"
)

// exporter stores all records.
type exporter struct {
	mu      sync.Mutex
	records []sdklog.Record
}

func (e *exporter) Export(_ context.Context, records []sdklog.Record) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range records {
		e.records = append(e.records, r.Clone())
	}
	return nil
}

func (*exporter) Shutdown(context.Context) error { return nil }

func (*exporter) ForceFlush(context.Context) error { return nil }

// exported returns the attributes of all records.
func (e *exporter) exported() (all []map[string]any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.records {
		all = append(all, attributesOf(r))
	}
	return all
}

func attributesOf(r sdklog.Record) map[string]any {
	m := map[string]any{}
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		m[string(kv.Key)] = kv.Value.AsInterface()
		return true
	})
	return m
}

// counted has the sum of the deltas and the highest count of the records of one Event.
type counted struct{ Sum, Highest int64 }

// counts returns the sum of the deltas and the highest count for each object.
func (e *exporter) counts(t *testing.T) map[string]counted {
	t.Helper()
	all := map[string]counted{}
	seen := map[string]bool{}
	for _, a := range e.exported() {
		id := fmt.Sprint(a["k8s.event.name"], a["k8s.event.count"])
		if seen[id] {
			t.Errorf("two records of %s", id)
		}
		seen[id] = true
		name := a["k8s.object.name"].(string)
		c := all[name]
		c.Sum += a["eventseries.delta"].(int64)
		c.Highest = max(c.Highest, a["k8s.event.count"].(int64))
		all[name] = c
	}
	return all
}

// provide returns a provider that exports to e without a queue.
func provide(e sdklog.Exporter) *sdklog.LoggerProvider {
	return sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewSimpleProcessor(e)))
}

func newSink(t testing.TB, provider *sdklog.LoggerProvider) *otelevents.Sink {
	t.Helper()
	sink, err := otelevents.NewSink(provider)
	if err != nil {
		t.Fatal(err)
	}
	return sink
}

// start returns a started broadcaster that writes to sink. The caller ends it.
func start(t testing.TB, sink events.Sink, opts ...events.Option) (*events.Broadcaster, *events.Recorder) {
	t.Helper()
	b := events.NewBroadcaster(sink, append([]events.Option{events.WithLogger(klog.Logger{})}, opts...)...)
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return b, b.Recorder(nil, "example.com/controller")
}

func pod(name string) *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: name, UID: types.UID("uid-" + name)}
}

func emit(r events.EventRecorder, n int, name string) {
	for range n {
		r.Eventf(pod(name), nil, corev1.EventTypeWarning, "BackOff", "Start", "restarting %s", name)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
