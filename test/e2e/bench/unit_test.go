// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/test/e2e/bench/internal/load"
	"github.com/eventseries/eventseries/test/e2e/bench/internal/world"
)

// units are those of which the cost is measured, with how many of them, and the time in which they begin.
var units = map[string]struct {
	unit   load.Unit
	n      int
	within time.Duration
}{
	"pod":        {load.PodLife, 2_000, 10 * time.Minute}, // 10,000 Events
	"rollout":    {load.Rollout, 4, 40 * time.Minute},
	"crash-hour": {load.CrashHour, 40, 10 * time.Minute},
}

// BenchmarkUnit has the components of a cluster record something that happens n times, in simulated time. Then it sends
// the requests to a real kube-apiserver, and reads from etcd what they cost, for one time.
func BenchmarkUnit(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: no control plane")
	}
	server := startPlane(b, 0)
	each(b, func(b *testing.B, impl string) {
		for name, u := range units {
			b.Run("unit="+name, func(b *testing.B) {
				for b.Loop() {
					config := load.Config{
						Nodes: 100, PodsPerNode: 110, Containers: 1, Seed: 1, Span: u.within + 2*time.Hour,
					}
					var requests []world.Request
					var totals world.Totals
					world.Simulate(func() {
						api := world.NewAPI()
						api.Applied = func(r world.Request) { requests = append(requests, r) }
						cluster := load.NewIdle(config)
						cluster.Add(u.unit, u.n, u.within)
						play(api, cluster, impl, config.Span, func() {})
						totals = api.Totals()
					})
					before, err := server.usage()
					if err != nil {
						b.Fatal(err)
					}
					stored, err := replay(b.Context(), server, requests)
					if err != nil {
						b.Fatal(err)
					}
					after, err := server.usage()
					if err != nil {
						b.Fatal(err)
					}
					used := after.since(before)
					if int(used.puts) > len(requests) || impl == sdk && int(used.puts) != len(requests) {
						b.Errorf("etcd has %v new revisions after %d requests, want one each", used.puts, len(requests))
					}
					one := func(all float64) float64 { return all / float64(u.n) }
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(one(float64(totals.Occurrences)), "occurrences")
					b.ReportMetric(one(float64(totals.Lost())), "lost")
					b.ReportMetric(one(float64(totals.Writes())), "requests")
					b.ReportMetric(one(float64(totals.Events)), "events")
					b.ReportMetric(one(used.puts), "revisions")
					b.ReportMetric(one(used.kvBytes), "kv-B")
					b.ReportMetric(one(used.walBytes), "wal-B")
					b.ReportMetric(one(used.dbBytes), "db-B")
					b.ReportMetric(one(float64(stored)), "stored-B")
				}
			})
		}
	})
}

var version = regexp.MustCompile(`"resourceVersion":"[^"]*"`)

// replay sends requests to a real server, in namespaces of their own, and those about one Event in their order. It
// returns the bytes of the Events that are stored in the end.
func replay(ctx context.Context, server *plane, requests []world.Request) (bytes int, err error) {
	const writers = 8
	client, err := kubernetes.NewForConfig(server.config)
	if err != nil {
		return 0, err
	}
	var queues [writers][]world.Request
	namespaces := map[string]bool{}
	prefix := fmt.Sprintf("trial-%d", trials.Add(1))
	for _, r := range requests {
		r.Event.Namespace = prefix + "-" + r.Event.Namespace
		if o := &r.Event.InvolvedObject; o.Namespace != "" {
			o.Namespace = r.Event.Namespace
		}
		namespaces[r.Event.Namespace] = true
		name := fnv.New32()
		name.Write([]byte(r.Event.Namespace + "/" + r.Event.Name))
		i := name.Sum32() % writers
		queues[i] = append(queues[i], r)
	}
	for name := range namespaces {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return 0, err
		}
	}
	var all errgroup.Group
	var sizes [writers]int
	for i, queue := range queues {
		all.Go(func() (err error) {
			sizes[i], err = send(ctx, client, queue)
			return err
		})
	}
	err = all.Wait()
	for _, size := range sizes {
		bytes += size
	}
	return bytes, err
}

// send sends requests one after the other.
func send(ctx context.Context, client kubernetes.Interface, requests []world.Request) (bytes int, err error) {
	stored := map[types.NamespacedName]*corev1.Event{}
	for _, r := range requests {
		key := types.NamespacedName{Namespace: r.Event.Namespace, Name: r.Event.Name}
		patch := r.Patch
		if before := stored[key]; before != nil {
			patch = version.ReplaceAll(patch, fmt.Appendf(nil, `"resourceVersion":%q`, before.ResourceVersion))
		}
		after, err := sendOne(ctx, client, r, patch)
		if err != nil {
			return 0, fmt.Errorf("%s with patch %q: %w", key, patch, err)
		}
		stored[key] = after
	}
	for _, event := range stored {
		bytes += event.Size()
	}
	return bytes, nil
}

func sendOne(ctx context.Context, client kubernetes.Interface, r world.Request, patch []byte) (*corev1.Event, error) {
	if r.Via == corev1.SchemeGroupVersion {
		events := client.CoreV1().Events(r.Event.Namespace)
		if patch == nil {
			return events.Create(ctx, r.Event, metav1.CreateOptions{})
		}
		return events.Patch(ctx, r.Event.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	}
	events := client.EventsV1().Events(r.Event.Namespace)
	var stored *eventsv1.Event
	var err error
	if patch == nil {
		stored, err = events.Create(ctx, eventconv.FromCore(r.Event), metav1.CreateOptions{})
	} else {
		stored, err = events.Patch(ctx, r.Event.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	}
	if err != nil {
		return nil, err
	}
	return eventconv.ToCore(stored), nil
}
