// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

const burst = 20_000 // first occurrences at once

// seats is a server that works on so many requests at a time, each for a while, and refuses others as priority and
// fairness does.
type seats struct {
	n       int // 0: as many as come
	latency time.Duration

	mu                          sync.Mutex
	taken, most, refused, total int
}

func (s *seats) write(context.Context, *eventsv1.Event) error {
	s.mu.Lock()
	s.total++
	if s.n > 0 && s.taken == s.n {
		s.refused++
		s.mu.Unlock()
		return apierrors.NewTooManyRequests("the server is busy", 1)
	}
	s.taken++
	s.most = max(s.most, s.taken)
	s.mu.Unlock()
	time.Sleep(s.latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	return nil
}

// recordBurst starts a broadcaster and records the burst, in which the time of the bubble stands still.
func recordBurst(t *testing.T, server *seats, namespaces int) *events.Broadcaster {
	b := events.NewBroadcaster(sink(server.write), events.WithLogger(klog.Logger{}))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	rec := b.Recorder(scheme.Scheme, "example.com/burst")
	for i := range burst {
		pod := fixture.Pod(fmt.Sprint("ns-", i%namespaces), fmt.Sprint("web-", i))
		rec.Eventf(pod, nil, "Normal", "Scheduled", "Scheduling", "on node 1")
	}
	return b
}

// A burst is written about as fast as the server allows, whatever that is, and few requests are refused on the way.
//
// Caught: a fixed number of workers; a window that is not halved, or that tries the size at which it was refused again at once.
func TestBurst(t *testing.T) {
	for _, row := range []struct {
		seats, namespaces int
		within            time.Duration
	}{
		{0, 20, time.Minute},
		{0, 1, time.Minute},
		{32, 20, 2*31*time.Second + 30*time.Second},
		{32, 1, 2*31*time.Second + 30*time.Second},
		{2, 20, 2 * 500 * time.Second},
		{2, 1, 2 * 500 * time.Second},
	} {
		fixture.InBubble(t, fmt.Sprintf("%d seats, %d namespaces", row.seats, row.namespaces), func(t *testing.T) {
			server := &seats{n: row.seats, latency: 50 * time.Millisecond}
			began := time.Now()
			b := recordBurst(t, server, row.namespaces)
			if err := b.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			took, refused := time.Since(began), 100*float64(server.refused)/float64(server.total)
			t.Logf("%v, at most %d at a time, %.1f %% of %d requests refused", took.Round(time.Millisecond), server.most, refused, server.total)
			if took > row.within || refused > 5 {
				t.Errorf("took %v with %.1f %% refused, want %v and 5 %%", took, refused, row.within)
			}
			b.Shutdown()
			if s := b.Stats(); s.Recorded != burst {
				t.Errorf("%d recorded, want all", s.Recorded)
			}
		})
	}
}

// At the end of a burst nearly all is written that the server could take in the five seconds. The window does not wait to
// grow by one a round, a single namespace may have all of it, and a 429 stops a namespace only until the next good answer.
//
// Caught: a share of half the window, of which only 1,350 are written; a window that grows as usual; a Retry-After that is
// kept while the server takes writes, with 1,200 of 2,000 on two seats.
func TestEndOfABurst(t *testing.T) {
	for _, row := range []struct {
		seats, namespaces int
		latency           time.Duration
		written           int
	}{
		{0, 1, 50 * time.Millisecond, 5500}, // of 6,400, which is 64 at a time
		{0, 20, 50 * time.Millisecond, 5500},
		{32, 1, 50 * time.Millisecond, 2500}, // of 3,200
		{32, 20, 50 * time.Millisecond, 2500},
		{2, 1, 5 * time.Millisecond, 1800}, // of 2,000
		{2, 20, 5 * time.Millisecond, 1800},
	} {
		fixture.InBubble(t, fmt.Sprintf("%d seats, %d namespaces", row.seats, row.namespaces), func(t *testing.T) {
			server := &seats{n: row.seats, latency: row.latency}
			b := recordBurst(t, server, row.namespaces)
			b.Shutdown()
			recorded := b.Stats().Recorded
			t.Logf("%d recorded in five seconds, %d of %d requests refused", recorded, server.refused, server.total)
			if recorded < int64(row.written) {
				t.Errorf("%d recorded in five seconds, want %d", recorded, row.written)
			}
		})
	}
}

// A namespace that records little is answered while busy ones are refused, because it asks seldom. So it is no evidence
// that the server has room, and that the busy ones have rate limits of their own. On one seat more is refused than on two,
// because a namespace that was refused twice in a row is tried beside the window.
//
// Caught: a judge that takes the quiet namespace for a witness, with up to 19 % refused on two seats.
func TestBurstBesideAQuietNamespace(t *testing.T) {
	for n, most := range map[int]float64{1: 30, 2: 8, 8: 5} {
		fixture.InBubble(t, fmt.Sprintf("%d seats", n), func(t *testing.T) {
			server := &seats{n: n, latency: 20 * time.Millisecond}
			b := recordBurst(t, server, 3)
			rec := b.Recorder(scheme.Scheme, "example.com/quiet")
			quiet := fixture.Pod("quiet", "web")
			done := make(chan error, 1)
			go func() { done <- b.Flush(context.Background()) }()
			for i := 0; ; i++ {
				rec.Eventf(quiet, nil, "Warning", fmt.Sprint("Slow", i), "Checking", "a check was slow")
				select {
				case err := <-done:
					if err != nil {
						t.Fatal(err)
					}
				case <-time.After(3 * time.Second):
					continue
				}
				break
			}
			refused := 100 * float64(server.refused) / float64(server.total)
			t.Logf("at most %d at a time, %.1f %% of %d requests refused", server.most, refused, server.total)
			if refused > most {
				t.Errorf("%.1f %% refused, want %.0f %% at most", refused, most)
			}
			b.Shutdown()
		})
	}
}
