// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

var everyRow = flag.Bool("every-row", false, "run every row, also those that take long")

// always is how many failing namespaces are always run.
const always = 20

// The promise.
const (
	maxMedian    = time.Second      // half of the Warnings of a healthy namespace are written within
	maxLag       = 10 * time.Second // and all of them within
	discovery    = time.Minute      // from then on, beside a hundred that fail,
	recovers     = time.Minute      // and one of these that is repaired is written within
	manyTake     = 5                // times as long for a thousand
	lastWarnings = 4000             // Warnings that a healthy namespace records just before Shutdown
	healthySpace = "healthy"
)

// broadcaster is one of either package.
type broadcaster interface {
	Shutdown()
	Stats() events.Stats
}

// start starts a broadcaster and returns what records a Warning.
type start func(s *server, opts ...events.Option) (b broadcaster, record func(namespace, object string))

var subjects = map[string]start{"events": startEvents, "legacy": startLegacy}

func startEvents(s *server, opts ...events.Option) (broadcaster, func(string, string)) {
	b := events.NewBroadcaster(sinks.EventsV1(s.EventsV1()), opts...)
	if err := b.Start(context.Background()); err != nil {
		panic(err)
	}
	rec := b.Recorder(scheme.Scheme, "example.com/tenants")
	return b, func(namespace, object string) {
		rec.Eventf(fixture.Pod(namespace, object), nil, "Warning", "Failed", "Trying", "it failed")
	}
}

func startLegacy(s *server, opts ...events.Option) (broadcaster, func(string, string)) {
	b := legacy.NewBroadcaster(events.WithOptions(opts...))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: s.CoreV1().Events("")})
	rec := b.Recorder(scheme.Scheme, corev1.EventSource{Component: "tenants"})
	return b, func(namespace, object string) {
		rec.Event(fixture.Pod(namespace, object), "Warning", "Failed", "it failed")
	}
}

// Caught: suspect queues among the healthy ones; attempts that keep their worker however long they take; one gate of
// the server for everything that hangs.
func TestSickNamespacesHurtNoOther(t *testing.T) {
	for name, start := range subjects {
		for _, fault := range faults {
			for _, n := range []int{1, 2, 5, 20, 100, 1000} {
				for _, most := range []int{4, 64} {
					if !*everyRow && n > always && (most == 4 || n == 100 || raceEnabled || testing.Short()) {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/%d/%d in flight", name, fault.name, n, most), func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { newRig(t, start, fault, n, most).run() })
					})
				}
			}
		}
	}
}

// rig is one component with n failing namespaces and a healthy one.
type rig struct {
	broadcaster
	t        *testing.T
	server   *server
	n        int
	record   func(namespace, object string)
	began    time.Time
	recorded []warning // in the healthy namespace

	mu      sync.Mutex // guards dropped
	dropped map[string]int64
}

type warning struct {
	object string
	at     time.Time
}

func newRig(t *testing.T, start start, fault fault, n, most int) *rig {
	s := &rig{t: t, server: newServer(fault), n: n, began: time.Now(), dropped: map[string]int64{}}
	onDrop := func(d events.Drop) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.dropped[strings.TrimRight(d.Regarding.Namespace, "-0123456789")+" "+string(d.Reason)] += d.Occurrences
	}
	s.broadcaster, s.record = start(s.server, events.WithLogger(klog.Logger{}), tuning.MaxInFlight(most),
		events.WithDropHandler(onDrop))
	return s
}

func (s *rig) run() {
	for i := range s.n {
		s.record(failingNamespace(i), "first")
	}
	s.recordFor(25 * time.Minute)
	s.checkLag()
	s.checkRecovery()
	s.checkShutdown()
}

// recordFor records a Warning in the healthy namespace every seven seconds, and in each failing
// one every five minutes.
func (s *rig) recordFor(d time.Duration) {
	const step = 7 * time.Second
	for i := 0; time.Since(s.began) < d; i++ {
		s.warn()
		for j := range s.n {
			if every := int(5 * time.Minute / step); (i+j)%every == 0 {
				s.record(failingNamespace(j), fmt.Sprint("again-", i))
			}
		}
		time.Sleep(step)
	}
}

// times is how many times as long what takes time may take.
func (s *rig) times() time.Duration {
	if s.n > 100 {
		return manyTake
	}
	return 1
}

func (s *rig) warn() {
	object := fmt.Sprint("web-", len(s.recorded))
	s.recorded = append(s.recorded, warning{object, time.Now()})
	s.record(healthySpace, object)
}

// checkLag checks how long Warnings of the healthy namespace wait.
func (s *rig) checkLag() {
	var lags []time.Duration
	var atFirst time.Duration
	for _, recorded := range s.recorded {
		stored := s.server.storedAt(healthySpace, recorded.object)
		if stored.IsZero() {
			stored = time.Now()
		}
		if lag := stored.Sub(recorded.at); recorded.at.Sub(s.began) < s.times()*discovery {
			atFirst = max(atFirst, lag)
		} else {
			lags = append(lags, lag)
		}
	}
	slices.Sort(lags)
	median, worst := lags[len(lags)/2], lags[len(lags)-1]
	s.t.Logf("a healthy Warning waits %v, at worst %v (%v in the first %v); up to %d requests are under way in failing namespaces",
		median, worst, atFirst, s.times()*discovery, s.server.most)
	if median > maxMedian || worst > maxLag {
		s.t.Errorf("a healthy Warning waits %v, at worst %v, want %v and %v", median, worst, maxMedian, maxLag)
	}
}

// checkRecovery ends the fault of one namespace.
func (s *rig) checkRecovery() {
	namespace := failingNamespace(s.n / 2)
	s.server.repair(namespace)
	repaired := time.Now()
	for s.server.storedAt(namespace, "first").IsZero() && time.Since(repaired) < time.Hour {
		time.Sleep(time.Second)
	}
	took, want := time.Since(repaired), s.times()*recovers
	s.t.Logf("a namespace that is repaired is written after %v", took)
	if took > want {
		s.t.Errorf("a namespace that is repaired is written after %v, want %v", took, want)
	}
}

func (s *rig) checkShutdown() {
	for range lastWarnings {
		s.warn()
	}
	s.Shutdown()
	lost := 0
	for _, recorded := range s.recorded {
		if s.server.storedAt(healthySpace, recorded.object).IsZero() {
			lost++
		}
	}
	if lost > 0 || s.dropped[healthySpace+" TooOld"] > 0 {
		s.t.Errorf("%d Warnings of the healthy namespace are lost: %v", lost, s.dropped)
	}
	stats := s.Stats()
	if got := s.dropped["failing Abandoned"]; got == 0 && s.n > 1 || got != stats.Dropped[events.DropAbandoned] || stats.Pending != 0 {
		s.t.Errorf("%d occurrences of failing namespaces are abandoned, Stats: %+v", got, stats)
	}
	s.t.Logf("dropped: %v", s.dropped)
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
