// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"fmt"
	"runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/eventseries/eventseries/eventview"
)

// stored is how many Events a cluster of 14,000 nodes has made in five minutes (kubernetes#141022).
const stored = 145_259

func event(i int) *corev1.Event {
	e := &corev1.Event{EventTime: micro(1), Type: "Normal", Reason: "Pulled", Message: "Container image is already present on machine"}
	e.Namespace, e.Name = "default", fmt.Sprintf("pod-%d.18eb5610eca1e599", i)
	e.InvolvedObject = corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: fmt.Sprintf("pod-%d", i), FieldPath: "spec.containers{web}"}
	e.ReportingController, e.ReportingInstance = "kubelet", "node"
	return e
}

// BenchmarkReading is what it takes to keep up with so many Events, and what stays in memory: with a Tracker, and in the
// store of an informer.
func BenchmarkReading(b *testing.B) {
	for _, reader := range []struct {
		name string
		make func() func(*corev1.Event)
	}{
		{"tracker", func() func(*corev1.Event) {
			tracker := eventview.NewTracker(at(0), 0)
			return func(e *corev1.Event) {
				view := eventview.OfCore(e)
				tracker.Observe(&view)
			}
		}},
		{"informer", func() func(*corev1.Event) {
			store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
			return func(e *corev1.Event) {
				if err := store.Add(e); err != nil {
					b.Fatal(err)
				}
			}
		}},
	} {
		b.Run(reader.name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				note := reader.make()
				for i := range stored {
					note(event(i))
				}
				b.ReportMetric(float64(heap()-before)/stored, "B/Event")
				runtime.KeepAlive(note)
			}
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
