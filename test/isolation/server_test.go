// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package isolation

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events/eventstest"
)

// fault is how writes in a failing namespace fail.
type fault struct {
	name   string
	answer func(ctx context.Context) error
}

var faults = []fault{
	{"hangs", func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}},
	{"500 after 10 s", after(10*time.Second, apierrors.NewInternalError(errors.New("failed calling webhook")))},
	{"429 with Retry-After 5 s", after(time.Millisecond, apierrors.NewTooManyRequests("slow down", 5))},
	{"429", after(time.Millisecond, apierrors.NewTooManyRequests("slow down", 0))},
	{"connection reset", after(time.Millisecond, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET})},
}

func after(d time.Duration, err error) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(d):
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// server is a cluster in memory that answers within a millisecond in healthy namespaces.
type server struct {
	*eventstest.Clientset
	fault fault

	mu       sync.Mutex // guards the rest
	repaired map[string]bool
	stored   map[string]time.Time // object → when its Event was first stored
	inFlight int                  // requests under way in failing namespaces
	most     int                  // at a time
}

func newServer(f fault) *server {
	s := &server{
		Clientset: eventstest.NewClientset(), fault: f, repaired: map[string]bool{}, stored: map[string]time.Time{},
	}
	s.Fail(s.fail)
	s.Lose(func(_ context.Context, r eventstest.Request) error { // which are stored
		s.mu.Lock()
		defer s.mu.Unlock()
		switch e := r.Object.(type) {
		case *eventsv1.Event:
			s.stored[e.Namespace+"/"+e.Regarding.Name] = time.Now()
		case *corev1.Event:
			s.stored[e.Namespace+"/"+e.InvolvedObject.Name] = time.Now()
		}
		return nil
	})
	return s
}

const failingPrefix = "failing-"

func failingNamespace(i int) string { return fmt.Sprint(failingPrefix, i) }

// fail is asked before each request.
func (s *server) fail(ctx context.Context, r eventstest.Request) error {
	s.mu.Lock()
	failing := strings.HasPrefix(r.Namespace, failingPrefix) && !s.repaired[r.Namespace]
	if failing {
		s.inFlight++
		s.most = max(s.most, s.inFlight)
	}
	s.mu.Unlock()
	if !failing {
		time.Sleep(time.Millisecond)
		return nil
	}
	err := s.fault.answer(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	return err
}

func (s *server) repair(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repaired[namespace] = true
}

func (s *server) storedAt(namespace, object string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stored[namespace+"/"+object]
}

// sink is a server that is nothing but how it answers a write.
type sink func(ctx context.Context, e *eventsv1.Event) error

func (s sink) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return e, s(ctx, e)
}

func (s sink) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, s(ctx, e)
}
