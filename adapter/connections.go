// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"net"
	"net/http"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/connrotation"

	"github.com/eventseries/eventseries/internal/timing"
)

var errDisconnected = errors.New("adapter: the adapter has ended, and with it the connections of its client")

// connections are those of the client that [NewForConfig] makes. They end with the adapter: client-go
// keeps an idle one, and its goroutines, for 90 seconds.
type connections struct {
	dialer *connrotation.Dialer // remembers what it has dialed
	ended  context.Context
	end    context.CancelFunc
}

// newHTTPClient returns a client such as that of rest.HTTPClientFor, and its connections.
//
// It has a transport of its own, with two exceptions in which the connections are not closed. A
// transport in the configuration is the caller's. And for a client certificate in files client-go 0.35 starts
// goroutines that never end, so there the transport stays the one that client-go shares among all
// clients with these files.
func newHTTPClient(config *rest.Config) (*http.Client, *connections, error) {
	tc, err := config.TransportConfig()
	if err != nil {
		return nil, nil, err
	}
	c := &connections{}
	c.ended, c.end = context.WithCancel(context.Background())
	dialer := &net.Dialer{Timeout: timing.DialTimeout, KeepAlive: timing.KeepAlive}
	c.dialer = connrotation.NewDialer(dialer.DialContext)
	if tc.DialHolder != nil {
		c.dialer = connrotation.NewDialer(tc.DialHolder.Dial)
	}
	reloads := tc.TLS.CertFile != "" && len(tc.TLS.CertData) == 0
	if tc.Transport == nil && !reloads {
		tc.DialHolder = &transport.DialHolder{Dial: c.dial}
		if tc.Proxy == nil {
			tc.Proxy = http.ProxyFromEnvironment // the default, but with a function client-go shares no transport
		}
	}
	rt, err := transport.New(tc)
	if err != nil {
		return nil, nil, err
	}
	return &http.Client{Transport: rt, Timeout: config.Timeout}, c, nil
}

// dial opens a connection, unless the adapter ends before there is one. A dialer of the caller may
// ignore its context, and succeed later.
func (c *connections) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c.ended.Err() != nil {
		return nil, errDisconnected
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ended, func() { cancel(errDisconnected) })()
	connection, err := c.dialer.DialContext(ctx, network, address)
	if err == nil && c.ended.Err() != nil { // closeAll may have been before it
		_ = connection.Close()
		return nil, errDisconnected
	}
	return connection, err
}

// closeAll closes all connections, and those that a dial under way opens yet.
func (c *connections) closeAll() {
	c.end()
	c.dialer.CloseAll()
}
