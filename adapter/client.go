// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/legacy"
)

// Limits of the client that [NewForConfig] makes: those of kubelet's client for Events.
// client-go's defaults, 5 and 10, are for all that a component does.
const (
	defaultQPS   = 50
	defaultBurst = 100
)

var errNoConfig = errors.New("adapter: the rest.Config is nil; use ctrl.GetConfig or clientcmd to get one")

// NewForConfig returns an adapter with a client of its own, so that Events delay no other
// request, and no other request delays them. The client has the configuration, which is
// copied, and a User-Agent that also names this SDK. It sends 50 requests a second, in
// bursts of 100, unless the configuration has limits (QPS, Burst or RateLimiter), and
// speaks protobuf, unless that names a ContentType. When the adapter ends, what is pending is
// sent as fast as the server allows: QPS and Burst are not for that. Only a request that waits for
// them already has its turn first.
//
// The client's connections are its own, and closed when the adapter has ended. Those of a Transport
// in the configuration are the caller's. With a client certificate in files they are client-go's.
//
// It does no I/O and starts no goroutine. ctx is that of [New]. The error is about the
// configuration or an option.
func NewForConfig(ctx context.Context, config *rest.Config, opts ...Option) (*Adapter, error) {
	c := newConfig(ctx, append(slices.Clone(opts), legacy.WithContext(ctx)))
	return newForConfig(c, config)
}

// newForConfig returns an adapter with a client of its own, whose connections end with it.
func newForConfig(c config, config *rest.Config) (*Adapter, error) {
	if _, err := c.WithDefaults(); err != nil {
		return nil, err
	}
	client, err := newClient(config)
	if err != nil {
		return nil, err
	}
	c.OnDraining = append(c.OnDraining, client.limiter.end)
	c.OnDrained = append(c.OnDrained, client.connections.closeAll)
	a := newAdapter(c)
	a.attachClient(client)
	return a, nil
}

// ownClient is a client that one adapter has, with what it holds until the adapter ends.
type ownClient struct {
	*kubernetes.Clientset
	limiter     *limiter
	connections *connections
}

func newClient(config *rest.Config) (*ownClient, error) {
	if config == nil {
		return nil, errNoConfig
	}
	config = eventseries.WithUserAgent(config)
	l := &limiter{}
	// A QPS below 0 means no limit, and then Burst means nothing.
	if qps := cmp.Or(config.QPS, defaultQPS); config.RateLimiter == nil && qps > 0 {
		if config.Burst < 0 {
			return nil, fmt.Errorf("adapter: the rest.Config has a Burst of %d, with which no request may be sent; "+
				"want more than 0, or 0 for the default %d", config.Burst, defaultBurst)
		}
		l.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(qps, cmp.Or(config.Burst, defaultBurst))
		config.RateLimiter = l
	}
	httpClient, opened, err := newHTTPClient(config)
	if err != nil {
		return nil, fmt.Errorf("adapter: cannot make a client: %w", err)
	}
	client, err := kubernetes.NewForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, fmt.Errorf("adapter: cannot make a client: %w", err)
	}
	return &ownClient{
		Clientset:   client,
		limiter:     l,
		connections: opened,
	}, nil
}

// limiter is the rate limiter of a client that the adapter has made, until the adapter ends.
// Then the server is what limits it: there is no later time to write in.
type limiter struct {
	flowcontrol.RateLimiter
	ended atomic.Bool
}

// end lets everything pass from now on.
func (l *limiter) end() { l.ended.Store(true) }

// QPS implements [flowcontrol.RateLimiter]. 0 is no limit.
func (l *limiter) QPS() float32 {
	if l.ended.Load() {
		return 0
	}
	return l.RateLimiter.QPS()
}

// Wait implements [flowcontrol.RateLimiter]. What waits when the end comes has its turn soon: the
// writer asks for one write at a time.
func (l *limiter) Wait(ctx context.Context) error {
	if l.ended.Load() {
		return nil
	}
	return l.RateLimiter.Wait(ctx)
}

// attachSink lets the adapter write through the client behind a sink. A sink without
// one cannot be asked which APIs the server has, and takes core/v1 Events.
func (a *Adapter) attachSink(sink record.EventSink) error {
	if client, _ := apiclient.RESTClient(sink); client != nil {
		a.attachClient(kubernetes.New(client)) // all groups through one REST client: apiclient.Once sets the paths
		return nil
	}
	writer, err := apiclient.NewCoreWriter(sink)
	if err != nil {
		return err
	}
	err = a.attachCorrelator(sink)
	if err != nil {
		return err
	}
	core := apiclient.NewCoreV1(writer)
	a.router.sinks = map[Mode]events.Sink{ModeEventsV1: core, ModeCoreV1: core}
	a.router.support.fix(discovery.NotServed)
	return nil
}
