// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
)

// api is where the Events of one side go.
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

// clusterAPI is a real one, through a client with the limits that kubelet gives
// the client of its Events.
func clusterAPI(config *rest.Config) (api, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 50, 100
	writes := new(atomic.Int64)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counter{next, writes} })
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return api{}, fmt.Errorf("making a client: %w", err)
	}
	return api{client: client, writes: writes.Load}, nil
}

// check fails if the API does not answer or has no such namespace.
func (a api) check(ctx context.Context, namespace string) error {
	if _, err := a.client.Discovery().ServerVersion(); err != nil {
		return fmt.Errorf("the API server does not answer: %w", err)
	}
	_, err := a.client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("create the namespace or name another one with --namespace: %w", err)
	}
	return nil // also when we may not look
}

// counter counts the requests that write Events, answered or not.
type counter struct {
	next   http.RoundTripper
	writes *atomic.Int64
}

// RoundTrip sends a request.
func (c counter) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodGet && strings.Contains(request.URL.Path+"/", "/events/") {
		c.writes.Add(1)
	}
	return c.next.RoundTrip(request)
}

// stored is what the server has of one node.
type stored struct {
	objects int64
	counts  int64 // sum over the objects
	related int64 // objects that name a related object
}

// read counts the Events of a node. It knows them by the UID of what they are
// about, which no recorder touches. Those about pods are in the
// namespace of the pods, those about the node in default.
func (a api) read(ctx context.Context, node types.NodeName, namespace string) (stored, error) {
	var out stored
	namespaces := []string{namespace}
	if namespace != metav1.NamespaceDefault {
		namespaces = append(namespaces, metav1.NamespaceDefault)
	}
	for _, namespace := range namespaces {
		// Through core/v1, which shows the Events of both APIs with all their fields.
		list, err := a.client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return stored{}, fmt.Errorf("listing the Events: %w", err)
		}
		for i := range list.Items {
			out.add(&list.Items[i], string(node))
		}
	}
	return out, nil
}

func (s *stored) add(event *corev1.Event, node string) {
	if uid := string(event.InvolvedObject.UID); uid != node && !strings.HasPrefix(uid, node+"/") {
		return
	}
	s.objects++
	if event.Related != nil {
		s.related++
	}
	switch {
	case event.Series != nil:
		s.counts += int64(event.Series.Count)
	default:
		s.counts += int64(max(event.Count, 1))
	}
}
