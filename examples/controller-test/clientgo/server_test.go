// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"sync"
	"syscall"
	"testing"

	"github.com/eventseries/eventseries/events/eventstest"
)

// server is a cluster, and when it was first asked to write an Event.
type server struct {
	client *eventstest.Clientset
	asked  chan struct{}
}

func answering() server { return server{client: eventstest.NewClientset()} }

// unreachable refuses connections.
func unreachable() server {
	return failing(func(context.Context) error { return syscall.ECONNREFUSED })
}

// silent accepts requests and does not answer them, until the test ends.
func silent(t *testing.T) server {
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	return failing(func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return syscall.ECONNREFUSED
		}
	})
}

func failing(how func(context.Context) error) server {
	s := server{eventstest.NewClientset(), make(chan struct{})}
	first := sync.OnceFunc(func() { close(s.asked) })
	s.client.Fail(func(ctx context.Context, request eventstest.Request) error {
		if request.Resource != "events" {
			return nil
		}
		first()
		return how(ctx)
	})
	return s
}
