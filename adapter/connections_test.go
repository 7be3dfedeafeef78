// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clusters"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// What NewForConfig has opened is closed when the adapter ends, and when Clusters disengages a cluster. Then goleak needs no
// ignore list. The server sees the end of each connection before it closes any itself.
//
// Caught: connections, each with two or three goroutines, that client-go keeps for 90 seconds.
func TestConnectionsEndWithTheAdapter(t *testing.T) {
	secure := rest.TLSClientConfig{Insecure: true}
	for name, row := range map[string]struct {
		config rest.Config
		http2  bool
		want   string
	}{
		"plain":  {config: rest.Config{}, want: "HTTP/1.1"},
		"TLS":    {config: rest.Config{TLSClientConfig: secure}, want: "HTTP/1.1"},
		"HTTP/2": {config: rest.Config{TLSClientConfig: secure}, http2: true, want: "HTTP/2.0"},
	} {
		for end, run := range map[string]func(*testing.T, *rest.Config){"Shutdown": runAdapter, "Disengage": runClusters} {
			t.Run(name+", "+end, func(t *testing.T) {
				api := apiserver.New()
				protocols := make(chan string, 1000)
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					protocols <- r.Proto
					api.ServeHTTP(w, r)
				}))
				server.EnableHTTP2 = row.http2
				var accepted connections
				server.Config.ConnState = accepted.note
				if row.config.Insecure {
					server.StartTLS()
				} else {
					server.Start()
				}
				defer server.Close()
				row.config.Host = server.URL
				run(t, &row.config)
				if n := len(api.Events()); n != 3 {
					t.Errorf("%d Events are stored, want 3", n)
				}
				if got := <-protocols; got != row.want {
					t.Errorf("requests are %s, want %s", got, row.want)
				}
				select {
				case <-accepted.over():
				case <-time.After(10 * time.Second): // nobody else closes an idle connection within 90
					t.Error("the client keeps connections open")
				}
				server.Close()
				goleak.VerifyNone(t)
			})
		}
	}
}

// connections are those that a server has accepted.
type connections struct {
	mu    sync.Mutex
	open  map[net.Conn]bool
	ended chan struct{} // closed when none is open any more; nil while nobody waits
}

// note is the ConnState of a server.
func (c *connections) note(connection net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		if c.open == nil {
			c.open = map[net.Conn]bool{}
		}
		c.open[connection] = true
	case http.StateClosed:
		delete(c.open, connection)
	}
	c.tell()
}

// over returns a channel that is closed when all connections are. There must have been one.
func (c *connections) over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	ended := make(chan struct{})
	if c.open != nil {
		c.ended = ended
		c.tell()
	}
	return ended
}

func (c *connections) tell() {
	if c.ended != nil && len(c.open) == 0 {
		close(c.ended)
		c.ended = nil
	}
}

func runAdapter(t *testing.T, config *rest.Config) {
	a, err := adapter.NewForConfig(t.Context(), config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, pod := range []string{"a", "b", "c"} {
		emit(a.Recorder(controller), 1, "shop", pod)
	}
	a.Shutdown()
}

func runClusters(t *testing.T, config *rest.Config) {
	set := clusters.New(t.Context(), quiet)
	defer set.Shutdown()
	if err := set.Engage(t.Context(), "c1", config); err != nil {
		t.Fatal(err)
	}
	for _, pod := range []string{"a", "b", "c"} {
		set.Recorder(controller).For("c1").Eventf(fixture.Pod("shop", pod), nil, "Normal", "Killing", "Kill", "")
	}
	if err := set.Disengage(t.Context(), "c1"); err != nil {
		t.Fatal(err)
	}
	if n := set.Stats().Recorded; n != 3 {
		t.Errorf("%d recorded, want 3", n)
	}
}

// A dial under way is cancelled at the end, and if it succeeds all the same, its connection is closed.
//
// Caught: a dial that goes on without its request; a connection that nobody uses and nobody closes.
func TestDialOutlivesTheAdapter(t *testing.T) {
	for name, obeys := range map[string]bool{"obeys its context": true, "ignores it": false} {
		fixture.InBubble(t, name, func(t *testing.T) {
			connection, server := net.Pipe()
			var dials atomic.Int32
			a, err := adapter.NewForConfig(t.Context(), &rest.Config{
				Host: "http://apiserver.invalid",
				Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
					dials.Add(1)
					if obeys {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					time.Sleep(time.Hour)
					return connection, nil
				},
			}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			emit(a.Recorder(controller), 1, "shop", "web")
			time.Sleep(time.Second)
			a.Shutdown()
			if dials.Load() == 0 {
				t.Error("nothing was dialed")
			}
			if obeys {
				return // a bubble ends when all of its goroutines have
			}
			began := time.Now()
			if _, err := server.Read(make([]byte, 1)); err != io.EOF || time.Since(began) > time.Hour {
				t.Errorf("the connection: %v after %v, want it closed at once", err, time.Since(began))
			}
		})
	}
}
