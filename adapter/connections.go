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

// connections tracks the connections of the client that [NewForConfig] creates, so that they can be
// closed when the adapter has ended. Otherwise client-go would keep each idle connection, with its
// goroutines, for 90 seconds.
type connections struct {
	// dialer opens the connections and remembers them.
	dialer *connrotation.Dialer
	// ended is a context that ends when closeAll calls end. After that, dial opens no connection.
	ended context.Context
	end   context.CancelFunc
}

// newHTTPClient returns the client that rest.HTTPClientFor would return for config, and the
// connections of this client.
//
// The client has its own transport, with two exceptions, in which closeAll closes nothing. A
// transport in config belongs to the caller. If config names client certificate files, the client
// uses the transport that client-go shares among all clients with these files. For a separate
// transport, client-go 0.35 would start goroutines that never end.
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
			// ProxyFromEnvironment is the default of client-go. It is set explicitly because
			// client-go does not share a transport whose configuration contains a function for
			// Proxy.
			tc.Proxy = http.ProxyFromEnvironment
		}
	}
	rt, err := transport.New(tc)
	if err != nil {
		return nil, nil, err
	}
	return &http.Client{Transport: rt, Timeout: config.Timeout}, c, nil
}

// dial opens a connection. It returns errDisconnected if closeAll is called before or during the
// call. If a user's dialer ignores its context and succeeds after closeAll, dial closes the
// connection.
func (c *connections) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if c.ended.Err() != nil {
		return nil, errDisconnected
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ended, func() { cancel(errDisconnected) })()
	connection, err := c.dialer.DialContext(ctx, network, address)
	// If closeAll was called before this connection existed, it has not closed the connection.
	if err == nil && c.ended.Err() != nil {
		_ = connection.Close()
		return nil, errDisconnected
	}
	return connection, err
}

// closeAll closes all connections. If a call of dial is in progress, dial closes its own
// connection.
func (c *connections) closeAll() {
	c.end()
	c.dialer.CloseAll()
}
