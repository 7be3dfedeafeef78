// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: "uid-" + "pod", ResourceVersion: "1",
	}}
}

// start returns a started broadcaster and a recorder, and drains it at the end.
func start(t *testing.T, sink events.Sink, opts ...events.Option) (*events.Broadcaster, *events.Recorder) {
	t.Helper()
	b := events.NewBroadcaster(sink, opts...)
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Shutdown)
	return b, b.NewRecorder(scheme.Scheme, "example.com/test").(*events.Recorder)
}

func checkLog(t *testing.T, sink *eventstest.Sink, want string) {
	t.Helper()
	if diff := cmp.Diff(want, sink.Log()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func checkConserved(t *testing.T, s events.Stats) {
	t.Helper()
	sum := s.Recorded + s.Pending
	for _, n := range s.Dropped {
		sum += n
	}
	if s.Observed != sum {
		t.Errorf("I1: observed %d, accounted for %d: %+v", s.Observed, sum, s)
	}
}

func TestScratch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		b, rec := start(t, sink)
		pod := newPod("web")
		for i := range 50 {
			pod.ResourceVersion = fmt.Sprint(i)
			rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "stop %d", i)
		}
		synctest.Wait()
		t.Log(sink.Log())
		time.Sleep(time.Second)
		rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "stop")
		rec.Eventf(pod, nil, "Normal", "Started", "Kill", "stop")
		synctest.Wait()
		rec.Eventf(pod, nil, "Normal", "Started", "Kill", "stop")
		synctest.Wait()
		rec.Eventf(pod, nil, "Normal", "Started", "Kill", "stop")
		rec.Eventf(pod, nil, "Normal", "Started", "Kill", "stop")
		time.Sleep(10 * time.Minute)
		t.Log(sink.Log())
		t.Logf("%+v", b.Stats())
		checkConserved(t, b.Stats())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := b.Drain(ctx); err != nil {
			t.Error(err)
		}
		var lost *events.AbandonedError
		_ = errors.As(nil, &lost)
	})
}

func BenchmarkRepeat(b *testing.B) {
	br := events.NewBroadcaster(eventstest.NewSink())
	rec := br.NewRecorder(scheme.Scheme, "example.com/test")
	pod := newPod("web")
	b.ReportAllocs()
	for b.Loop() {
		rec.Eventf(pod, nil, "Normal", "Killing", "Kill", "stop")
	}
}
