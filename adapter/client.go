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

// The default rate limit and burst of the client that [NewForConfig] creates, in requests per
// second and in requests. They equal those of the kubelet's client for Events. client-go's
// defaults, 5 and 10, are lower, although they are meant for all requests of a component.
const (
	defaultQPS   = 50
	defaultBurst = 100
)

var errNoConfig = errors.New("adapter: the rest.Config is nil; use ctrl.GetConfig or clientcmd to get one")

// NewForConfig returns an adapter with its own client, so that Events and the component's other
// requests do not delay each other. It does no I/O and starts no goroutine. It returns an error if
// config or an option is invalid. ctx is used as in [New].
//
// The client is created from a copy of config, with these changes:
//
//   - The User-Agent also names this SDK.
//   - The rate limit is 50 requests per second with a burst of 100, unless config sets QPS, Burst
//     or RateLimiter. While the adapter drains, QPS and Burst do not apply, because the writes can
//     no longer be put off: pending Events are then written as fast as the server accepts them.
//   - The encoding is protobuf, unless config sets a ContentType.
//
// The client has its own connections, which are closed when the adapter has ended, with two
// exceptions. If config sets a Transport, its connections belong to the caller. If config names
// client certificate files, client-go shares the connections with other clients.
func NewForConfig(ctx context.Context, config *rest.Config, opts ...Option) (*Adapter, error) {
	c := newConfig(ctx, append(slices.Clone(opts), legacy.WithContext(ctx)))
	return newForConfig(c, config)
}

// newForConfig returns an adapter with its own client. When the adapter drains, the client stops
// limiting its rate. When the adapter has ended, the connections of the client are closed.
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

// ownClient is the client of one adapter. limiter and connections are the parts of it that must be
// ended together with the adapter.
type ownClient struct {
	*kubernetes.Clientset
	limiter     *limiter
	connections *connections
}

// newClient returns a client for a copy of config, as described at NewForConfig.
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

// limiter is the rate limiter of a client that was created by the adapter. It stops limiting when
// the adapter drains, because writes can no longer be put off. During the drain only the server
// limits the writes.
type limiter struct {
	flowcontrol.RateLimiter
	// ended is true after the call of end, when the limiter no longer limits anything.
	ended atomic.Bool
}

// end makes every later call of Wait return immediately.
func (l *limiter) end() { l.ended.Store(true) }

// QPS implements [flowcontrol.RateLimiter]. The result 0 means that there is no limit.
func (l *limiter) QPS() float32 {
	if l.ended.Load() {
		return 0
	}
	return l.RateLimiter.QPS()
}

// Wait implements [flowcontrol.RateLimiter]. A call that is already waiting when end is called
// keeps waiting. This wait is short, because the writer waits for one write at a time.
func (l *limiter) Wait(ctx context.Context) error {
	if l.ended.Load() {
		return nil
	}
	return l.RateLimiter.Wait(ctx)
}

// attachSink makes the adapter write through the client that sink wraps. If sink wraps no real
// client, discovery cannot be asked, and all Events are written to sink as core/v1 Events.
// attachSink returns an error if sink is nil.
func (a *Adapter) attachSink(sink record.EventSink) error {
	if client, _ := apiclient.RESTClient(sink); client != nil {
		// One REST client serves all API groups, because package apiclient sets the paths of its
		// requests.
		a.attachClient(kubernetes.New(client))
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
