// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes/scheme"
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
	l.stored[e.Regarding.Name] = time.Now()
	return e, nil
}

func (l *limited) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, request.NewLimiter(l.limiter).Wait(ctx)
}

// Nodes go away together, with a Warning each in one namespace, while pods in 500 namespaces have 17 new Warnings a second
// and the client may send 20. Nobody waits much longer than first in, first out would make all wait, and not those of a
// quiet namespace.
//
// Caught: namespaces in turn alone, so that the nodes wait for all of them; age alone, so that all wait for the nodes; a
// namespace that is forgotten when it was written, and has its next turn before a quiet one; a quiet one behind all others
// that were never written.
func TestFloodInOneNamespace(t *testing.T) {
	for seed := range uint64(4) {
		fixture.InBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) { flood(t, seed) })
	}
}

// flood has the namespaces of pods in one order again and again with seed 0, and else in another one each time.
func flood(t *testing.T, seed uint64) {
	const nodes, namespaces, perSecond, qps, during = 1667, 500, 17, 20, 15 * time.Minute
	server := &limited{limiter: flowcontrol.NewTokenBucketRateLimiter(qps, qps), stored: map[string]time.Time{}}
	b := events.NewBroadcaster(server, events.WithLogger(klog.Logger{}))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	rec := b.NewRecorder(scheme.Scheme, "example.com/flood")
	said := map[string]time.Time{}
	var order []string
	warn := func(namespace, name string) {
		said[name] = time.Now()
		order = append(order, name)
		rec.Eventf(fixture.Pod(namespace, name), nil, "Warning", "NotReady", "Watching", "gone")
	}
	for i := range nodes {
		warn("default", fmt.Sprint("node-", i))
	}
	random := rand.New(rand.NewPCG(seed, seed))
	var tenants []int
	for i := range int(during/time.Second) * perSecond {
		if len(tenants) == 0 {
			if tenants = random.Perm(namespaces); seed == 0 {
				slices.Sort(tenants)
			}
		}
		warn(fmt.Sprint("tenant-", tenants[0]), fmt.Sprint("pod-", i))
		if tenants = tenants[1:]; i%(10*perSecond) == 0 {
			warn(fmt.Sprint("quiet-", i), fmt.Sprint("quiet-", i))
		}
		time.Sleep(time.Second / perSecond)
	}
	if err := b.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	b.Shutdown()

	var waits, inOrder, quiet []time.Duration
	free := said[order[0]].Add(-time.Second) // with a burst of a second
	for _, name := range order {
		wait := server.stored[name].Sub(said[name])
		waits = append(waits, wait)
		if name[:5] == "quiet" {
			quiet = append(quiet, wait)
		}
		free = free.Add(time.Second / qps)
		if earliest := said[name].Add(-time.Second); free.Before(earliest) {
			free = earliest
		}
		inOrder = append(inOrder, max(0, free.Sub(said[name])))
	}
	slices.Sort(waits)
	slices.Sort(inOrder)
	p99, ideal := waits[len(waits)*99/100], inOrder[len(inOrder)*99/100]
	t.Logf("99 of 100 Warnings wait %v at most, first in first out %v; quiet namespaces %v", p99, ideal, slices.Max(quiet))
	if p99 > 2*ideal || slices.Max(quiet) > 5*time.Second {
		t.Errorf("99 of 100 Warnings wait %v at most, want twice %v; quiet namespaces %v, want 5 s", p99, ideal, slices.Max(quiet))
	}
}
