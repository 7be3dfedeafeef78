// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/eventview/incident"
)

var ten = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// million is the number of Events in the streams.
const million = 1_000_000

// streams make the nth Event of a stream. Events follow each other after 7 ms, so that a million
// of them take two hours.
var streams = map[string]func(n int, r *rand.Rand) eventview.Event{
	// One cause hits a million pods.
	"storm": func(n int, r *rand.Rand) eventview.Event {
		e := podEvent(n, n)
		e.Note = fmt.Sprintf("Failed to pull image \"registry.example.com/shop/web:%d\": failed to resolve reference: "+
			"unexpected status from HEAD request to https://registry.example.com/v2/%d: 429 Too Many Requests", n, r.Int())
		return e
	},
	// A thousand causes hit 50,000 pods.
	"mixed": func(n int, r *rand.Rand) eventview.Event {
		e := podEvent(n, r.IntN(50_000))
		e.Reason = fmt.Sprintf("Failed%c%c", 'A'+n%32, 'A'+n/32%32)
		e.Note = fmt.Sprintf("request %08x failed: dial tcp 10.0.0.%d:443: connect: connection refused", r.Uint32(), r.IntN(256))
		return e
	},
	// Each note has other words.
	"hostile": func(n int, r *rand.Rand) eventview.Event {
		e := podEvent(n, n)
		note := make([]byte, 400)
		for i := range note {
			note[i] = "abcdefgh uvwxyz "[r.IntN(16)]
		}
		e.Note = string(note)
		return e
	},
}

// podEvent returns the nth Event of a stream, about a pod.
func podEvent(n, pod int) eventview.Event {
	at := ten.Add(time.Duration(n) * 7 * time.Millisecond)
	name := fmt.Sprintf("app%d-7d4b9c6f5x-%05d", pod%1000, pod)
	return eventview.Event{
		Namespace:  "shop",
		Name:       fmt.Sprintf("%s.%x", name, at.UnixNano()),
		Type:       corev1.EventTypeWarning,
		Reason:     "Failed",
		Controller: "kubelet",
		Instance:   "node-1",
		Count:      1,
		First:      at,
		Last:       at,
		Regarding: corev1.ObjectReference{
			Kind:      "Pod",
			Namespace: "shop",
			Name:      name,
			FieldPath: "spec.containers{app}",
		},
	}
}

// observe passes the first Events of a stream to a tracker, with a tick every ten seconds.
func observe(tracker *incident.Tracker, events int, stream func(int, *rand.Rand) eventview.Event) {
	r := rand.New(rand.NewPCG(1, 2))
	ticked := ten
	for n := range events {
		e := stream(n, r)
		if e.Last.Sub(ticked) > 10*time.Second {
			ticked = e.Last
			tracker.Tick(ticked)
		}
		tracker.Observe(&e)
	}
}

// heap returns the size of all reachable memory in MiB.
func heap() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc) / (1 << 20)
}

// After a million Events, a tracker needs at most 64 MiB.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	for name, stream := range streams {
		t.Run(name, func(t *testing.T) {
			before := heap()
			tracker := incident.New()
			observe(tracker, million, stream)
			used := heap() - before
			t.Logf("%.1f MiB, %d incidents", used, len(tracker.Incidents()))
			if used > 64 {
				t.Errorf("%.1f MiB, want at most 64", used)
			}
			runtime.KeepAlive(tracker)
		})
	}
}

// BenchmarkObserve measures one Event of a stream of a million, including the time that makes the
// Event, and the memory after the last one.
func BenchmarkObserve(b *testing.B) {
	for name, stream := range streams {
		b.Run(name, func(b *testing.B) {
			before := heap()
			tracker := incident.New()
			b.ResetTimer()
			for range b.N {
				tracker = incident.New()
				observe(tracker, million, stream)
			}
			b.StopTimer()
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/million, "µs/event")
			b.ReportMetric(heap()-before, "MiB")
			checkpoint, err := tracker.MarshalBinary()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(checkpoint))/(1<<20), "checkpoint-MiB")
			runtime.KeepAlive(tracker)
		})
	}
}
