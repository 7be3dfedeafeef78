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
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/events"
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

// server answers within a millisecond in healthy namespaces. It is a Sink of package
// events.
type server struct {
	fault fault

	mu       sync.Mutex // guards the rest
	repaired map[string]bool
	stored   map[string]time.Time // object → when its Event was first stored
	inFlight int                  // requests under way in failing namespaces
	most     int                  // at a time
}

var _ events.Sink = (*server)(nil)

func newServer(s fault) *server {
	return &server{fault: s, repaired: map[string]bool{}, stored: map[string]time.Time{}}
}

const failingPrefix = "failing-"

func failingNamespace(i int) string { return fmt.Sprint(failingPrefix, i) }

// write answers one request.
func (s *server) write(ctx context.Context, namespace, object string) error {
	s.mu.Lock()
	failing := strings.HasPrefix(namespace, failingPrefix) && !s.repaired[namespace]
	if failing {
		s.inFlight++
		s.most = max(s.most, s.inFlight)
	}
	s.mu.Unlock()
	if !failing {
		time.Sleep(time.Millisecond)
	} else if err := s.fail(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if key := namespace + "/" + object; s.stored[key].IsZero() {
		s.stored[key] = time.Now()
	}
	return nil
}

func (s *server) fail(ctx context.Context) error {
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

// Create implements [events.Sink].
func (s *server) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return e, s.write(ctx, e.Namespace, e.Regarding.Name)
}

// Patch implements [events.Sink].
func (s *server) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return e, s.write(ctx, e.Namespace, e.Regarding.Name)
}

// coreClient is the same server to package legacy, which calls no other methods.
type coreClient struct {
	typedcorev1.EventInterface
	server *server
}

// CreateWithEventNamespaceWithContext implements [typedcorev1.EventInterface].
func (c coreClient) CreateWithEventNamespaceWithContext(
	ctx context.Context, e *corev1.Event,
) (*corev1.Event, error) {
	return e, c.server.write(ctx, e.Namespace, e.InvolvedObject.Name)
}

// PatchWithEventNamespaceWithContext implements [typedcorev1.EventInterface].
func (c coreClient) PatchWithEventNamespaceWithContext(
	ctx context.Context, e *corev1.Event, _ []byte,
) (*corev1.Event, error) {
	return e, c.server.write(ctx, e.Namespace, e.InvolvedObject.Name)
}
