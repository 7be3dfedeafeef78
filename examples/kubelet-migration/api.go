// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
)

// api is the API server that one side writes its Events to.
type api struct {
	client kubernetes.Interface
	writes func() int64 // requests that create or change an Event, so far
}

// memoryAPI is an API server in memory.
func memoryAPI() api {
	client := eventstest.NewClientset()
	return api{client: client, writes: func() int64 {
		w := client.Writes()
		sum := func(c eventstest.Counts) int64 { return c.Creates + c.Patches + c.Updates }
		return sum(w.CoreV1) + sum(w.EventsV1)
	}}
}

// clusterAPI is a real API server. The limits of its client are those of kubelet's client for Events. It fails if the
// server does not answer or has no such namespace.
func clusterAPI(ctx context.Context, config *rest.Config, namespace string) (api, error) {
	config = rest.CopyConfig(config)
	config.QPS = 50
	config.Burst = 100
	writes := new(atomic.Int64)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return writeCounter{next, writes} })
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return api{}, fmt.Errorf("making a client: %w", err)
	}
	if _, err := client.Discovery().ServerVersion(); err != nil {
		return api{}, fmt.Errorf("the API server does not answer: %w", err)
	}
	// Any other error means that the namespace may exist.
	_, err = client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return api{}, fmt.Errorf("create the namespace or name another one with --namespace: %w", err)
	}
	return api{client: client, writes: writes.Load}, nil
}

// writeCounter counts the requests that write Events, answered or not.
type writeCounter struct {
	next   http.RoundTripper
	writes *atomic.Int64
}

// RoundTrip sends a request.
func (c writeCounter) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet && strings.Contains(request.URL.Path+"/", "/events/") {
		c.writes.Add(1)
	}
	return c.next.RoundTrip(request)
}

// stored sums up the Events of a node on the server.
type stored struct {
	objects int64
	counts  int64 // sum over the objects
	related int64 // objects with a related object
}

// read sums up the Events of a node. It recognizes them by the UIDs of their objects, which recorders do not change.
// The Events of pods are in the namespace of the pods, those of the node in default.
func (a api) read(ctx context.Context, node types.NodeName, namespace string) (sum stored, err error) {
	for _, namespace := range slices.Compact([]string{namespace, metav1.NamespaceDefault}) {
		// core/v1 shows the Events of both APIs with all their fields.
		list, err := a.client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return stored{}, fmt.Errorf("listing the Events: %w", err)
		}
		for i := range list.Items {
			event := &list.Items[i]
			if uid := string(event.InvolvedObject.UID) + "/"; !strings.HasPrefix(uid, string(node)+"/") {
				continue
			}
			sum.objects++
			if event.Related != nil {
				sum.related++
			}
			sum.counts += eventview.FromCoreV1(event).Count
		}
	}
	return sum, nil
}
