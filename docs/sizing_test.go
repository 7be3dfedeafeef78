// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

// load is what a component records: each object fails at the start, and then every five minutes. perSecond is the limit
// of its client, with bursts of twice as many.
type load struct{ objects, perSecond int }

// demand is what a load needs.
type demand struct {
	firstHour, laterHours int           // writes
	stored                time.Duration // until the first occurrence of each object is stored
	pending               int           // series, when the component ends
}

// formula is the recipe of options.md.
func (l load) formula() demand {
	wait := time.Duration(max(0, l.objects-2*l.perSecond)) * time.Second / time.Duration(l.perSecond)
	return demand{3 * l.objects, 2 * l.objects, wait, l.objects}
}

// run records the load for two hours, in virtual time.
func (l load) run(t *testing.T) (d demand) {
	synctest.Test(t, func(t *testing.T) {
		server := &limited{limit: rate.NewLimiter(rate.Limit(l.perSecond), 2*l.perSecond)}
		b := events.NewBroadcaster(server, events.WithLogger(klog.Logger{}))
		if err := b.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder := b.Recorder(scheme.Scheme, "example.com/sizing")
		for second := range 7200 {
			for i := range l.objects {
				if second == 0 || i%300 == second%300 {
					object := &corev1.ObjectReference{
						APIVersion: "v1", Kind: "Pod", UID: types.UID(fmt.Sprint(i)),
						Namespace: fmt.Sprint("ns-", i%20), Name: fmt.Sprint("web-", i),
					}
					recorder.Eventf(object, nil, corev1.EventTypeWarning, "Failed", "Sync", "not ready")
				}
			}
			time.Sleep(time.Second)
			if second == 3599 {
				d.firstHour = server.taken()
			}
		}
		d.laterHours, d.stored = server.taken(), server.longest
		server.limit.SetLimit(rate.Inf)
		if err := b.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		d.pending = server.taken()
	})
	return d
}

// limited is a server that answers after 5 ms, behind a client's rate limit.
type limited struct {
	limit *rate.Limiter

	mu      sync.Mutex
	writes  int
	longest time.Duration // from a first occurrence until it is stored
}

func (s *limited) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := s.Patch(ctx, e, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.longest = max(s.longest, time.Since(e.EventTime.Time))
	return stored, err
}

func (s *limited) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	if err := s.limit.Wait(ctx); err != nil {
		return nil, err
	}
	time.Sleep(5 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	return e, nil
}

// taken returns the writes since the last call.
func (s *limited) taken() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, s.writes = s.writes, 0
	return n
}

// Two loads in virtual time confirm the formula. The second has the shape of the table's large rows, at a fifth and a
// fiftieth of their objects and limits.
//
// Caught: a refresh after 20 minutes.
func TestSizing(t *testing.T) {
	for _, l := range []load{{1_000, 50}, {10_000, 10}} {
		got, want := l.run(t), l.formula()
		for _, figure := range []struct {
			name         string
			got, want    float64
			below, above float64 // how far it may be from the formula
		}{
			{"writes in the first hour", float64(got.firstHour), float64(want.firstHour), 0.3, 0.15},
			{"writes in the second hour", float64(got.laterHours), float64(want.laterHours), 0.01, 0.01},
			{"seconds until all are stored", got.stored.Seconds(), want.stored.Seconds(), 0.01, 0.2},
			{"series pending at the end", float64(got.pending), float64(want.pending), 0.01, 0},
		} {
			if off := figure.got/figure.want - 1; off < -figure.below || off > figure.above {
				t.Errorf("%+v: %s: %.0f, by the formula %.0f", l, figure.name, figure.got, figure.want)
			}
		}
	}
	page, err := os.ReadFile("options.md")
	if err != nil {
		t.Fatal(err)
	}
	const perSeries = 478 // bytes; evidence/benchmarks.md, "Memory"
	for _, l := range []load{{1_000, 50}, {50_000, 50}, {500_000, 500}} {
		d := l.formula()
		row := fmt.Sprintf("| %d | %d | %.1f | %.1f | %.1f MiB | %v | %v |\n", l.objects, l.perSecond,
			float64(d.firstHour)/3600, float64(d.laterHours)/3600, float64(l.objects)*perSeries/(1<<20),
			d.stored.Round(time.Second), (time.Duration(d.pending) * time.Second / 1500).Round(time.Second))
		if !strings.Contains(string(page), row) {
			t.Errorf("options.md has not the row %s", row)
		}
	}
}
