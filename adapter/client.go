// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"fmt"
	"net/http"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
)

// clientBehind returns a client for all API groups, made of the REST client behind a
// sink, or nil if it has none. A REST client knows one group only. What it shares with
// the client of another is its connection, with credentials and user agent, the address
// of the server and the rate limiter.
func clientBehind(sink record.EventSink) (kubernetes.Interface, error) {
	client, ok := apiclient.RESTClient(sink).(*rest.RESTClient)
	if !ok {
		return nil, nil
	}
	config := &rest.Config{
		Host:        client.Get().AbsPath("/").URL().String(),
		RateLimiter: client.GetRateLimiter(),
		QPS:         -1, // none, if it has no rate limiter
	}
	clientset, err := kubernetes.NewForConfigAndClient(config, cmp.Or(client.Client, http.DefaultClient))
	if err != nil {
		return nil, fmt.Errorf("no client can be made of the sink's: %w", err)
	}
	return clientset, nil
}

// attachSink lets the adapter write through the client behind a sink. A sink without
// one cannot be asked which APIs the server has, and takes core/v1 Events.
func (a *Adapter) attachSink(sink record.EventSink) error {
	client, err := clientBehind(sink)
	if err != nil {
		return err
	}
	if client != nil {
		a.attachClient(client)
		return nil
	}
	writer, err := apiclient.NewCoreWriter(sink)
	if err != nil {
		return err
	}
	core := apiclient.NewCoreV1Over(writer)
	a.router.sinks = map[API]events.Sink{EventsV1: core, CoreV1: core}
	a.router.support.value = discovery.NotServed
	a.attachCore(sink)
	return nil
}
