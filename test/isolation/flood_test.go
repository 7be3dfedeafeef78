// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// limited is a server behind a client of so many requests a second. It is a Sink of package events.
type limited struct {
	limiter flowcontrol.RateLimiter

	mu     sync.Mutex
	stored map[string]time.Time // by object
}

func (l *limited) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	if err := request.NewLimiter(l.limiter).Wait(ctx); err != nil {
		return nil, err
	}
	time.Sleep(5 * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stored[e.Regarding.Name].IsZero() {
		l.stored[e.Regarding.Name] = time.Now()
	}
	return e, nil
}

func (l *limited) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, request.NewLimiter(l.limiter).Wait(ctx)
}

// The world of TestFloodInOneNamespace.
const (
	floodNodes     = 1667 // of one namespace
	floodTenants   = 500  // namespaces
	floodPerSecond = 17   // new Warnings of tenants
	floodQPS       = 20   // of the client
)

// Pods in 500 namespaces have 17 new Warnings a second, and the client may send 20 requests. After a minute all nodes go
// away, with a Warning each in one namespace. Nobody waits much longer than first in, first out would make all wait, and
// a namespace that had no Events before hardly waits. The same holds while each pod has a Normal, too, and the Warnings
// of the nodes recur, so that there are twice as many writes as the client may send.
//
// Caught: namespaces in turn alone, or every second time, so that the nodes wait for all of them; age alone, so that all
// wait for the nodes; a namespace that is forgotten when it was written, and has its next turn before a quiet one.
func TestFloodInOneNamespace(t *testing.T) {
	for name, isMixed := range map[string]bool{"first Warnings alone": false, "beside other Events": true} {
		for seed := range uint64(2) {
			fixture.InBubble(t, fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				f := newFlood(t, isMixed)
				f.run(seed)
				f.check()
			})
		}
	}
}

// flood is a component in that world.
type flood struct {
	*events.Broadcaster
	t       *testing.T
	server  *limited
	rec     clientevents.EventRecorder
	isMixed bool

	warnings []string // the names of their objects, in order
	recorded map[string]time.Time
}

func newFlood(t *testing.T, isMixed bool) *flood {
	server := &limited{
		limiter: flowcontrol.NewTokenBucketRateLimiter(floodQPS, floodQPS),
		stored:  map[string]time.Time{},
	}
	b := events.NewBroadcaster(server, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return &flood{
		Broadcaster: b,
		t:           t,
		server:      server,
		rec:         b.Recorder(scheme.Scheme, "example.com/flood"),
		isMixed:     isMixed,
		recorded:    map[string]time.Time{},
	}
}

func (f *flood) record(eventType, namespace, name string) {
	f.rec.Eventf(fixture.Pod(namespace, name), nil, eventType, "NotReady", "Watching", "gone")
}

// warn records the first Warning about an object.
func (f *flood) warn(namespace, name string) {
	f.recorded[name] = time.Now()
	f.warnings = append(f.warnings, name)
	f.record("Warning", namespace, name)
}

// nodesFail records a Warning about each node by report.
func (f *flood) nodesFail(report func(namespace, name string)) {
	for i := range floodNodes {
		report("default", fmt.Sprint("node-", i))
	}
}

// run takes eleven minutes. The namespaces come in one order again and again with seed 0, and else in another one each
// time.
func (f *flood) run(seed uint64) {
	random := rand.New(rand.NewPCG(seed, seed))
	var tenants []int
	for second := range 11 * 60 {
		switch {
		case second == 60:
			f.nodesFail(f.warn)
		case f.isMixed && second > 60 && second%40 == 0:
			f.nodesFail(func(namespace, name string) { f.record("Warning", namespace, name) })
		}
		if second > 60 && second%10 == 0 {
			f.warn(fmt.Sprint("quiet-", second), fmt.Sprint("quiet-", second))
		}
		for i := range floodPerSecond {
			if len(tenants) == 0 {
				tenants = random.Perm(floodTenants)
				if seed == 0 {
					slices.Sort(tenants)
				}
			}
			namespace := fmt.Sprint("tenant-", tenants[0])
			tenants = tenants[1:]
			f.warn(namespace, fmt.Sprintf("pod-%d-%d", second, i))
			if f.isMixed {
				f.record("Normal", namespace, fmt.Sprintf("job-%d-%d", second, i))
			}
			time.Sleep(time.Second / floodPerSecond)
		}
	}
	if err := f.Flush(context.Background()); err != nil {
		f.t.Error(err)
	}
	f.Shutdown()
}

// check compares how long the Warnings have waited with how long they would if nothing else was written, and they in the
// order in which they were recorded.
func (f *flood) check() {
	var waits, inOrder []time.Duration
	var quiet time.Duration
	free := f.recorded[f.warnings[0]].Add(-time.Second) // with a burst of a second
	for _, name := range f.warnings {
		recorded := f.recorded[name]
		wait := f.server.stored[name].Sub(recorded)
		waits = append(waits, wait)
		if strings.HasPrefix(name, "quiet") {
			quiet = max(quiet, wait)
		}
		free = free.Add(time.Second / floodQPS)
		if earliest := recorded.Add(-time.Second); free.Before(earliest) {
			free = earliest
		}
		inOrder = append(inOrder, max(0, free.Sub(recorded)))
	}
	slices.Sort(waits)
	slices.Sort(inOrder)
	p99 := waits[len(waits)*99/100]
	ideal := inOrder[len(inOrder)*99/100]
	f.t.Logf("99 of 100 Warnings wait %v at most, first in first out %v; quiet namespaces %v", p99, ideal, quiet)
	if p99 > 2*ideal {
		f.t.Errorf("99 of 100 Warnings wait %v at most, want twice the %v of first in, first out", p99, ideal)
	}
	if quiet > 10*time.Second {
		f.t.Errorf("a Warning of a quiet namespace waits %v, want 10 s", quiet)
	}
}
