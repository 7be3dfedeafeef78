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

// sickness is what becomes of a write in a sick namespace.
type sickness struct {
	name   string
	answer func(ctx context.Context) error
}

var sicknesses = []sickness{
	{"hangs", func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}},
	{"500 after 10 s", after(10*time.Second, apierrors.NewInternalError(errors.New("failed calling webhook")))},
	{"429 with Retry-After 5 s", after(time.Millisecond, apierrors.NewTooManyRequests("slow down", 5))},
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

// server answers within a millisecond where it is well. It is a Sink of package
// events.
type server struct {
	sickness sickness

	mu     sync.Mutex // guards the rest
	cured  map[string]bool
	stored map[string]time.Time // object → when its Event was first stored
	sick   int                  // requests under way in sick namespaces
	most   int                  // at a time
}

var _ events.Sink = (*server)(nil)

func newServer(s sickness) *server {
	return &server{sickness: s, cured: map[string]bool{}, stored: map[string]time.Time{}}
}

const sickPrefix = "sick-"

func sickNamespace(i int) string { return fmt.Sprint(sickPrefix, i) }

// write answers one request.
func (s *server) write(ctx context.Context, namespace, object string) error {
	s.mu.Lock()
	sick := strings.HasPrefix(namespace, sickPrefix) && !s.cured[namespace]
	if sick {
		s.sick++
		s.most = max(s.most, s.sick)
	}
	s.mu.Unlock()
	if !sick {
		time.Sleep(time.Millisecond)
	} else if err := s.suffer(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if key := namespace + "/" + object; s.stored[key].IsZero() {
		s.stored[key] = time.Now()
	}
	return nil
}

func (s *server) suffer(ctx context.Context) error {
	err := s.sickness.answer(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sick--
	return err
}

func (s *server) cure(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cured[namespace] = true
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
