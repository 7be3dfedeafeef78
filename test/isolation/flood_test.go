// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
)

// Nodes go away together, with a Warning each in one namespace, while pods in 500 namespaces have 17 new Warnings a second
// and the client may send 20. Nobody waits much longer than first in, first out would make all wait, and not those of a
// quiet namespace.
//
// Caught: namespaces in turn alone, so that the nodes wait for all of them; age alone, so that all wait for the nodes.
func TestFloodInOneNamespace(t *testing.T) {
	const nodes, namespaces, perSecond, qps, during = 1667, 500, 17, 20, 15 * time.Minute
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards stored
		stored := map[string]time.Time{}
		limiter := flowcontrol.NewTokenBucketRateLimiter(qps, qps)
		b := events.NewBroadcaster(sink(func(ctx context.Context, e *eventsv1.Event) error {
			if err := request.Wait(ctx, limiter); err != nil {
				return err
			}
			time.Sleep(5 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			stored[e.Regarding.Name] = time.Now()
			return nil
		}), events.WithLogger(klog.Logger{}))
		if err := b.Start(context.Background()); err != nil {
			t.Fatal(err)
		}
		rec := b.NewRecorder(scheme.Scheme, "example.com/flood")
		said := map[string]time.Time{}
		var order []string
		warn := func(namespace, name string) {
			said[name] = time.Now()
			order = append(order, name)
			rec.Eventf(pod(namespace, name), nil, "Warning", "NotReady", "Watching", "gone")
		}
		for i := range nodes {
			warn("default", fmt.Sprint("node-", i))
		}
		for i := range int(during/time.Second) * perSecond {
			warn(fmt.Sprint("tenant-", i%namespaces), fmt.Sprint("pod-", i))
			if i%(60*perSecond) == 0 {
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
			wait := stored[name].Sub(said[name])
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
		t.Logf("99 of 100 Warnings wait %v at most, first in first out %v; quiet namespaces %v", p99, ideal, quiet)
		// In the second minute some of the 500 have not been written at all, and a new one waits with them.
		if p99 > 2*ideal || slices.Max(quiet[:2]) > 20*time.Second || slices.Max(quiet[2:]) > time.Second {
			t.Errorf("99 of 100 Warnings wait %v at most, want twice %v; quiet namespaces %v, want 20 s at first and then 1 s", p99, ideal, quiet)
		}
	})
}
