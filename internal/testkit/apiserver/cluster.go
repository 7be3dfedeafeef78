// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// discoveryPath is the path of the discovery request for events.k8s.io/v1.
const discoveryPath = "/apis/events.k8s.io/v1"

// Cluster is a Server behind a network that can fail. Like a Server it works in a testing/synctest
// bubble. A Cluster is safe for concurrent use, except where a field or a method says otherwise.
type Cluster struct {
	*Server
	config *rest.Config

	// Gone makes every connection fail, as if no server were listening.
	Gone atomic.Bool
	// Hangs makes every request wait until its context ends.
	Hangs atomic.Bool
	// Probes is the number of discovery requests for events.k8s.io/v1.
	Probes atomic.Int64
	// ProbeLatency is the latency of the discovery requests for events.k8s.io/v1, as a
	// time.Duration.
	ProbeLatency atomic.Int64
	// ProbeHang, if not nil, makes the discovery requests for events.k8s.io/v1 block until the
	// channel is closed, even if the context of the request ends. It must be set before the first
	// request.
	ProbeHang chan struct{}
}

// NewCluster returns a cluster with an empty Server and a working network.
func NewCluster() *Cluster {
	c := &Cluster{Server: New()}
	c.config = c.Server.Config()
	c.config.Transport = c
	return c
}

// Config returns the configuration for a client that reaches the server through the network. Each
// call returns the same pointer, so a test can modify the configuration before it creates a client.
func (c *Cluster) Config() *rest.Config { return c.config }

// Client returns a client with the configuration of Config.
func (c *Cluster) Client() kubernetes.Interface { return kubernetes.NewForConfigOrDie(c.config) }

// RoundTrip implements http.RoundTripper.
func (c *Cluster) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case c.Hangs.Load():
		<-r.Context().Done()
	case c.Gone.Load():
		return nil, &net.OpError{
			Op:  "dial",
			Net: "tcp",
			Err: syscall.ECONNREFUSED,
		}
	case r.URL.Path == discoveryPath:
		c.Probes.Add(1)
		c.delayProbe(r)
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return c.Server.RoundTrip(r)
}

// delayProbe delays the answer to the discovery request r according to ProbeHang and ProbeLatency.
func (c *Cluster) delayProbe(r *http.Request) {
	if c.ProbeHang != nil {
		<-c.ProbeHang
	}
	select {
	case <-time.After(time.Duration(c.ProbeLatency.Load())):
	case <-r.Context().Done():
	}
}
