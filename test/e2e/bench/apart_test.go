// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

const (
	apartRounds = 8
	apartSlice  = 3 * time.Second // of a round, for each server, with and without a storm
	podEvery    = 10 * time.Millisecond
	stormRate   = 1_000 // Events a second, at most
)

// BenchmarkApart patches a pod again and again, with and without a storm of Events beside it, on a server with one
// etcd and on one whose Events have an etcd of their own. The four take turns, so that all of them meet the same
// machine. The etcds sync what they write to the same disk.
func BenchmarkApart(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: no control plane")
	}
	servers := map[string]*neighbours{
		"one": newNeighbours(b, startPlane(b, together|synced)),
		"two": newNeighbours(b, startPlane(b, synced)),
	}
	took := map[string][]time.Duration{}
	stored := map[string]int{}
	for range apartRounds {
		for _, storm := range []string{"no", "yes"} {
			for name, server := range servers {
				key := fmt.Sprintf("impl=both/etcds=%s/storm=%s", name, storm)
				ctx, cancel := context.WithCancel(b.Context())
				var storming sync.WaitGroup
				if storm == "yes" {
					storming.Go(func() { stored[key] += server.storm(ctx) })
				}
				delays, err := server.patchPod(apartSlice)
				cancel()
				storming.Wait()
				if err != nil {
					b.Fatal(err)
				}
				took[key] = append(took[key], delays...)
			}
		}
	}
	for key, delays := range took {
		b.Run(key, func(b *testing.B) {
			slices.Sort(delays)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(delays[len(delays)/2]), "p50-ms")
			b.ReportMetric(milliseconds(delays[len(delays)*99/100]), "p99-ms")
			b.ReportMetric(float64(len(delays)), "patches")
			b.ReportMetric(float64(stored[key])/(apartRounds*apartSlice.Seconds()), "events/s")
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1_000 }

// neighbours are a pod, and Events that are written beside it.
type neighbours struct {
	trial  *trial
	client kubernetes.Interface
	next   int
}

func newNeighbours(b *testing.B, server *plane) *neighbours {
	b.Helper()
	n := &neighbours{trial: newTrial(b, server.config, 100)}
	var err error
	if n.client, err = kubernetes.NewForConfig(server.config); err != nil {
		b.Fatal(err)
	}
	pod := n.trial.pods[0].DeepCopy()
	pod.ResourceVersion = ""
	pod.Spec.Containers = []corev1.Container{{Name: "pause", Image: "registry.k8s.io/pause:3.10"}}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: "default"}}
	accounts := n.client.CoreV1().ServiceAccounts(pod.Namespace)
	if _, err := accounts.Create(b.Context(), account, metav1.CreateOptions{}); err != nil {
		b.Fatal(err)
	}
	if _, err := n.client.CoreV1().Pods(pod.Namespace).Create(b.Context(), pod, metav1.CreateOptions{}); err != nil {
		b.Fatal(err)
	}
	return n
}

// patchPod patches the pod for a while, and returns how long each patch took.
func (n *neighbours) patchPod(during time.Duration) (took []time.Duration, err error) {
	pod := n.trial.pods[0]
	pace := time.NewTicker(podEvery)
	defer pace.Stop()
	for end := time.Now().Add(during); time.Now().Before(end); <-pace.C {
		n.next++
		patch := fmt.Appendf(nil, `{"metadata":{"labels":{"patched":"%d"}}}`, n.next)
		began := time.Now()
		_, err := n.client.CoreV1().Pods(pod.Namespace).Patch(context.Background(), pod.Name, types.MergePatchType, patch,
			metav1.PatchOptions{})
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

// storm creates Events until ctx ends, and returns how many.
func (n *neighbours) storm(ctx context.Context) (created int) {
	pace := rate.NewLimiter(stormRate, writers)
	var counts [writers]int
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() {
			for pace.Wait(ctx) == nil {
				if _, err := n.trial.create(ctx, i, nil); err == nil {
					counts[i]++
				}
			}
		})
	}
	all.Wait()
	return sum(counts[:])
}
