// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A SIGTERM right after a burst. The client has the default limits of 50 requests a second and 100 at once, and none
// while the adapter ends.
func TestShutdownWithTenThousandSeries(t *testing.T) {
	env := harness.New(t, shared)
	config := rest.CopyConfig(env.Config)
	config.QPS = 0
	namespaces := []string{env.Namespace}
	for range 9 {
		namespaces = append(namespaces, env.NewNamespace())
	}
	for _, namespace := range namespaces {
		env.Allow(namespace, harness.EventsV1)
	}
	a, err := adapter.NewForConfig(t.Context(), config, events.WithLogger(env.Logger), events.WithDrainTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	const pods, occurrences = 1000, 3
	recorder := a.Recorder("example.com/burst")
	var all []*corev1.Pod
	for _, namespace := range namespaces {
		for i := range pods {
			pod := &corev1.Pod{}
			pod.Namespace, pod.Name, pod.UID = namespace, fmt.Sprint("web-", i), types.UID(fmt.Sprint(namespace, "/", i))
			all = append(all, pod)
		}
	}
	for range occurrences {
		for _, pod := range all {
			recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Evicted", "Evict", "the node is gone")
		}
	}
	pending := a.Stats().Pending
	began := time.Now()
	a.Shutdown()
	t.Logf("%d series, %d occurrences pending: Shutdown took %.1f s", len(all), pending, time.Since(began).Seconds())
	for _, namespace := range namespaces {
		if got := env.Events(namespace); len(got) != pods || harness.Total(got) != pods*occurrences {
			t.Errorf("%d Events with %d occurrences, want %d with %d", len(got), harness.Total(got), pods, pods*occurrences)
		}
	}
}

// A component over NewForConfig leaves neither a goroutine nor a connection: those of the environment are all that it
// closes itself before goleak looks, without an ignore list.
func TestComponentLeavesNothing(t *testing.T) {
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	config, err := clientcmd.BuildConfigFromFlags("", env.UserKubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	a, err := adapter.NewForConfig(t.Context(), config, events.WithLogger(env.Logger))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	const pods = 20
	for i := range pods {
		pod := &corev1.Pod{}
		pod.Namespace = env.Namespace
		pod.Name = fmt.Sprint("web-", i)
		pod.UID = types.UID(fmt.Sprint(i))
		a.Recorder(controller).Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping")
	}
	a.Shutdown()
	if n := len(env.Events(env.Namespace)); n != pods {
		t.Errorf("%d Events, want %d", n, pods)
	}
}
